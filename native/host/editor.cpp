#include "host/editor.h"

namespace selfmind::host {

void Editor::event(std::string name, rpc::Map payload) {
  notify_("nvim_exec_lua",
          {"require('selfmind.events').receive(...)", rpc::Array{std::move(name), std::move(payload)}});
}

void Editor::reply(std::int64_t id, Result<rpc::Value> result) {
  rpc::Map payload{{"id", id}};
  if (result) {
    payload.emplace_back("result", std::move(*result));
  } else {
    payload.emplace_back("error",
                         rpc::Map{{"kind", to_text(result.error().kind)}, {"message", result.error().message}});
  }
  event("reply", std::move(payload));
}

}  // namespace selfmind::host
