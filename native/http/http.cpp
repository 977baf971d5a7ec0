#include "http/http.h"

namespace selfmind::http {

const std::string* find(const Headers& headers, std::string_view name) {
  for (const auto& [key, value] : headers) {
    if (key == name) return &value;
  }
  return nullptr;
}

}  // namespace selfmind::http
