// normalise_remote of projects.h: many spellings of one repository become one key.
#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/utf8.h"
#include "store/projects.h"

namespace selfmind::store {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Without repeated or trailing slashes and without ".git".
std::string tidy_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c != '/' || out.empty() || out.back() != '/') out += c;
  }
  const auto drop_slashes = [&out] {
    while (out.size() > 1 && out.back() == '/') out.pop_back();
  };
  drop_slashes();
  if (out.ends_with(".git")) out.resize(out.size() - 4);
  drop_slashes();
  return out;
}

std::string local_path(std::string_view path) {
  return tidy_path(std::filesystem::path(path).lexically_normal().generic_string());
}

std::string on_host(std::string_view host, std::string_view path) {
  std::string tidy = tidy_path(path);
  while (tidy.starts_with('/')) tidy.erase(0, 1);
  if (host.empty() || tidy.empty()) return {};
  return lower(host) + "/" + tidy;
}

std::string_view default_port(std::string_view scheme) {
  if (scheme == "ssh" || scheme == "git+ssh" || scheme == "ssh+git") return "22";
  if (scheme == "https") return "443";
  if (scheme == "http") return "80";
  if (scheme == "git") return "9418";
  return {};
}

// Behind the last "]" of an IPv6 address, or from the start.
std::size_t port_separator(std::string_view authority) {
  const auto bracket = authority.rfind(']');
  return authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
}

std::string from_url(const std::string& scheme, std::string_view rest) {
  if (scheme.starts_with("http")) rest = rest.substr(0, rest.find_first_of("?#"));
  const auto slash = std::min(rest.find('/'), rest.size());
  std::string_view authority = rest.substr(0, slash);
  const std::string_view path = rest.substr(slash);
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) authority.remove_prefix(at + 1);

  std::string_view port;
  if (const auto colon = port_separator(authority); colon != std::string_view::npos) {
    port = authority.substr(colon + 1);
    authority = authority.substr(0, colon);
  }
  // Not a port: a password with a slash in it was taken for the host. It must not become a key.
  if (!all_digits(port)) return {};
  if (scheme == "file" && (authority.empty() || lower(authority) == "localhost")) return local_path(path);
  std::string host(authority);
  if (!port.empty() && port != default_port(scheme)) host.append(":").append(port);
  return on_host(host, path);
}

// [user@]host:path
std::string from_scp(std::string_view url) {
  const auto slash = std::min(url.find('/'), url.size());
  if (const auto at = url.substr(0, slash).rfind('@'); at != std::string_view::npos) url.remove_prefix(at + 1);
  const auto colon = port_separator(url);
  if (colon == std::string_view::npos || colon > url.find('/')) return {};
  return on_host(url.substr(0, colon), url.substr(colon + 1));
}

}  // namespace

std::string normalise_remote(std::string_view url) {
  url = utf8::trim(url);
  if (url.starts_with('/')) return local_path(url);
  if (const auto scheme_end = url.find("://"); scheme_end != std::string_view::npos) {
    return from_url(lower(url.substr(0, scheme_end)), url.substr(scheme_end + 3));
  }
  return from_scp(url);
}

}  // namespace selfmind::store
