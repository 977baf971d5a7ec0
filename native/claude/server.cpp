#include "claude/server.h"

#include <algorithm>

#include "base/utf8.h"
#include "claude/types.h"

namespace selfmind::claude {
namespace {

std::string url(std::string_view base_url, std::string_view path) {
  base_url = utf8::trim(base_url);
  while (base_url.ends_with('/')) base_url.remove_suffix(1);
  return std::string(base_url) + (base_url.ends_with("/v1") ? "" : "/v1") + std::string(path);
}

// As one segment of a path: ids of local models have colons and slashes.
std::string escaped(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (plain.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

}  // namespace

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

std::string messages_url(std::string_view base_url) { return url(base_url, "/messages"); }

std::string model_url(std::string_view base_url, std::string_view model) {
  return url(base_url, "/models/" + escaped(utf8::trim(model)));
}

http::Headers headers_for(const Endpoint& endpoint) {
  http::Headers out = {{"anthropic-version", "2023-06-01"}};
  const auto key = utf8::trim(endpoint.api_key);
  const auto token = utf8::trim(endpoint.auth_token);
  if (!key.empty()) {
    out.emplace_back("x-api-key", key);
  } else if (!token.empty()) {
    out.emplace_back("authorization", "Bearer " + std::string(token));
  }
  return out;
}

}  // namespace selfmind::claude
