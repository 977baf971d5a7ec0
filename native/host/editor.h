// Editor: the one door to Lua, `require('selfmind.events').receive(name, payload)`, reached by an nvim_exec_lua
// notification. Loop thread only.
#pragma once
#include <functional>
#include <string>

#include "base/result.h"
#include "rpc/message.h"

namespace selfmind::host {

class Editor {
 public:
  // `notify` sends a notification to Neovim.
  explicit Editor(std::function<void(std::string method, rpc::Array params)> notify) : notify_(std::move(notify)) {}

  void event(std::string name, rpc::Map payload);
  // The answer to the call that came with `id`.
  void reply(std::int64_t id, Result<rpc::Value> result);

 private:
  std::function<void(std::string, rpc::Array)> notify_;
};

}  // namespace selfmind::host
