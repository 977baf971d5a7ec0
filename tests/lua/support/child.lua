-- A Neovim of its own for one test, driven over RPC: keys are typed, Lua is run in it, and the plugin in it talks to
-- the fake host. Messages are collected instead of shown.

local M = {}

local root = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(
  vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)) --[[@as string]]
)))))
M.root = root

local Child = {}
Child.__index = Child

local SETUP = [[
  local root, nvim, options = ...
  vim.opt.runtimepath:prepend(root)
  vim.o.swapfile = false
  _G.messages = {}
  vim.notify = function(text, level) table.insert(_G.messages, { text = text, level = level }) end
  vim.g.selfmind = vim.tbl_deep_extend('force', {
    host = { cmd = { nvim, '-u', 'NONE', '-i', 'NONE', '-l', root .. '/tests/lua/support/fake_host.lua' } },
  }, options)
  vim.cmd('runtime plugin/selfmind.lua')
]]

---@param options? { settings?: table, env?: table<string, string> }
function M.start(options)
  options = options or {}
  local child = setmetatable({}, Child)
  child.channel = vim.fn.jobstart(
    { vim.v.progpath, '--embed', '--headless', '--clean', '-i', 'NONE', '--cmd', 'set columns=100 lines=30' },
    { rpc = true, env = options.env }
  )
  child:lua(SETUP, root, vim.v.progpath, options.settings or {})
  return child
end

---Runs Lua in the child.
function Child:lua(code, ...)
  return vim.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

---@param keys string as in a mapping
function Child:type(keys)
  vim.rpcrequest(self.channel, 'nvim_input', (keys:gsub('<lt>', '<LT>')))
  self:sync()
end

---Waits until the typed keys have been worked off. Some lead into a mode that answers no request but this one, so a
---moment has to do; whoever needs more waits for what the keys bring about.
function Child:sync()
  vim.rpcrequest(self.channel, 'nvim_get_mode')
  vim.wait(10)
end

function Child:cmd(command)
  vim.rpcrequest(self.channel, 'nvim_command', command)
end

---Waits until Lua in the child gives a true value.
---@param what string for the failure
---@param code string
function Child:wait(what, code, ...)
  local args = { ... }
  local value
  local ok = vim.wait(30000, function()
    value = self:lua(code, unpack(args))
    return value and value ~= vim.NIL
  end, 5)
  if not ok then
    error(('waited in vain for %s; lines: %s; messages: %s'):format(
      what,
      vim.inspect(self:lines()),
      vim.inspect(self:messages())
    ), 2)
  end
  return value
end

---Tells the fake host something, and waits until the child has heard its answer to a later question.
function Child:host(method, params)
  self:lua("require('selfmind.host').notify(...)", method, params)
  self:settle()
end

---Everything sent to the host before has been answered, and events it sent are handled.
function Child:settle()
  self:lua([[
    _G.settled = false
    require('selfmind.host').notify('test.seen', {}, function(_, result)
      _G.settled, _G.seen = true, result and result.calls
    end)
  ]])
  self:wait('the host', 'return _G.settled')
end

---@return { method: string, params: table }[] what the host was sent
function Child:seen(method)
  self:settle()
  local calls = self:lua('return _G.seen')
  return vim.tbl_filter(function(call)
    return not method or call.method == method
  end, calls)
end

---@return integer
function Child:host_pid()
  return self:lua([[
    for _, channel in ipairs(vim.api.nvim_list_chans()) do
      if channel.mode == 'rpc' and channel.stream == 'job' then return vim.fn.jobpid(channel.id) end
    end
  ]])
end

function Child:emit(name, payload)
  self:host('test.emit', { name = name, payload = payload })
end

---@return string[]
function Child:lines()
  return self:lua([[
    local bufnr = _G.chat_buffer or vim.api.nvim_get_current_buf()
    return vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_lines(bufnr, 0, -1, false) or {}
  ]])
end

function Child:messages()
  return vim.tbl_map(function(message)
    return message.text
  end, self:lua('return _G.messages'))
end

---@param text string a part of it, plain
function Child:wait_message(text)
  return self:wait('the message ' .. text, [[
    local text = ...
    for _, message in ipairs(_G.messages) do
      if message.text:find(text, 1, true) then
        return message.text
      end
    end
  ]], text)
end

---Opens the chat and waits for it.
function Child:chat()
  self:cmd('SelfMind chat')
  self:wait('the chat', "return vim.bo.filetype == 'selfmind'")
  self:lua('_G.chat_buffer = vim.api.nvim_get_current_buf()')
  return self:lua('return _G.chat_buffer')
end

---Types a message and sends it.
function Child:send(text)
  self:type('i' .. text:gsub('<', '<lt>') .. '<Esc><CR>')
  self:settle()
end

---@return table<integer, string[]> what extmarks show, by row: headers first, then the lines underneath
function Child:shown()
  local pairs_ = self:lua([[
    local ns = require('selfmind.chat.marks').namespace
    local found = {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(_G.chat_buffer, ns, 0, -1, { details = true })) do
      local details = mark[4]
      if not details.invalid then
        local function text(chunks)
          local parts = {}
          for _, chunk in ipairs(chunks) do parts[#parts + 1] = chunk[1] end
          return vim.trim(table.concat(parts))
        end
        if details.virt_text then
          table.insert(found, { mark[2], text(details.virt_text) })
        end
        for _, line in ipairs(details.virt_lines or {}) do
          table.insert(found, { mark[2], text(line) })
        end
      end
    end
    return found
  ]])
  local rows = {}
  for _, pair in ipairs(pairs_) do
    rows[pair[1]] = rows[pair[1]] or {}
    table.insert(rows[pair[1]], pair[2])
  end
  return rows
end

---Ends the child. A test in which Neovim reported an error has failed.
function Child:stop()
  local alive, errmsg = pcall(self.lua, self, 'return vim.v.errmsg')
  pcall(vim.rpcnotify, self.channel, 'nvim_command', 'qa!')
  if vim.fn.jobwait({ self.channel }, 2000)[1] == -1 then
    vim.fn.jobstop(self.channel)
  end
  if alive and errmsg ~= '' then
    error('Neovim says: ' .. errmsg, 2)
  end
end

return M
