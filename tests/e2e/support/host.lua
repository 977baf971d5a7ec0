-- The host without an editor: what a script hears that speaks its protocol (doc/internals/protocol.md).

local M = {}

local uv = vim.uv

local LIMIT_MS = 45000 -- how long a test waits for a condition

---@class e2e.Host
---@field events { name: string, payload: table }[] in the order they came
local Host = {}
Host.__index = Host

---@param self e2e.Host
---@param bytes string
local function take(self, bytes)
  local at = 1
  while at <= #bytes do
    local message
    message, at = self.unpack(bytes, at)
    if message == nil then
      return
    elseif message[1] == 1 then
      self.responses[message[2]] = { err = message[3], result = message[4] }
    elseif message[1] == 2 then
      local name, payload = unpack(message[3][2])
      self.events[#self.events + 1] = { name = name, payload = payload }
    end
  end
end

---@param opts { env: table<string, string>, cwd: string, settings?: table }
---@return e2e.Host
function M.start(opts)
  local self = setmetatable({ events = {}, responses = {}, last_id = 0, unpack = vim.mpack.Unpacker() }, Host)
  self.stdin, self.stdout = uv.new_pipe(), uv.new_pipe()
  local env = {}
  for name, value in pairs(opts.env) do
    env[#env + 1] = name .. '=' .. value
  end
  self.process = assert(uv.spawn(vim.env.SELFMIND_BIN .. '/selfmind-host', {
    env = env,
    cwd = opts.cwd,
    stdio = { self.stdin, self.stdout, 2 },
  }, function(code)
    self.exited = code
  end))
  self.stdout:read_start(function(_, bytes)
    if bytes then
      take(self, bytes)
    end
  end)
  self:call('hello', { protocol = 1, plugin = 'test', settings = opts.settings or vim.empty_dict() })
  return self
end

---Waits until `holds` gives a true value, and returns it.
---@param what string for the failure
---@param holds fun(): any
function Host:wait(what, holds)
  local value
  local met = vim.wait(LIMIT_MS, function()
    value = holds()
    return value ~= nil and value ~= false
  end, 1)
  if not met then
    error(('waited in vain for %s; the last events: %s'):format(
      what,
      vim.inspect(vim.list_slice(self.events, #self.events - 5))
    ), 2)
  end
  return value
end

---@param method string
---@param params table
---@return table result
function Host:call(method, params)
  self.last_id = self.last_id + 1
  local id = self.last_id
  self.stdin:write(vim.mpack.encode({ 0, id, method, { params } }))
  local response = self:wait('the answer to ' .. method, function()
    return self.responses[id]
  end)
  if response.err ~= vim.NIL then
    error(('%s: %s'):format(method, vim.inspect(response.err)), 2)
  end
  return response.result
end

---Sends a message and waits for the end of its turn.
---@param chat integer
---@param text string
---@return { state: string, text: string, notice?: string, late: boolean }
function Host:say(chat, text)
  local first = #self.events + 1
  local turn = self:call('turn.start', { chat = chat, text = text }).turn
  local done = self:wait('the end of a turn', function()
    for i = #self.events, first, -1 do
      local event = self.events[i]
      if event.name == 'turn/done' and event.payload.turn == turn then
        return event.payload
      end
    end
  end)
  local reply = { state = done.state, notice = done.notice, text = '', late = false }
  for i = first, #self.events do
    local event = self.events[i]
    if event.name == 'turn/text' and event.payload.turn == turn then
      reply.text = reply.text .. event.payload.text
    elseif event.name == 'turn/recalled' and event.payload.turn == turn then
      reply.late = event.payload.late == true
    end
  end
  return reply
end

---Ends its input and waits until it has gone.
function Host:stop()
  if self.stdin:is_closing() then
    return
  end
  self.stdin:close()
  self:wait('the end of the host', function()
    return self.exited
  end)
  self.stdout:close()
end

return M
