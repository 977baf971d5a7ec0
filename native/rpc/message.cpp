// Looking into values; see message.h.
#include "rpc/message.h"

namespace selfmind::rpc {

const Map* Value::as_map() const {
  static const Map empty;
  if (const Array* array = as_array(); array && array->empty()) return &empty;
  return std::get_if<Map>(&data_);
}

const Value* Value::find(std::string_view key) const {
  const Map* map = as_map();
  if (!map) return nullptr;
  for (const auto& [name, value] : *map) {
    if (name == key) return &value;
  }
  return nullptr;
}

}  // namespace selfmind::rpc
