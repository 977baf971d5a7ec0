#include "claude/server.h"

#include <algorithm>

#include "base/utf8.h"
#include "claude/types.h"

namespace selfmind::claude {

std::string authority(std::string_view url) {
  url = utf8::trim(url);
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto user = url.rfind('@'); user != std::string_view::npos) url.remove_prefix(user + 1);
  std::string out(url);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return out;
}

std::string server_name(const Endpoint& endpoint) {
  return endpoint.official() ? "Anthropic" : "the server at " + authority(endpoint.base_url);
}

std::string messages_url(std::string_view base_url) {
  base_url = utf8::trim(base_url);
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  return std::string(base_url) + (base_url.ends_with("/v1") ? "/messages" : "/v1/messages");
}

}  // namespace selfmind::claude
