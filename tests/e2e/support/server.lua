-- The strict Messages-API server of the tests as a process, and what it has heard.

local M = {}

local uv = vim.uv

local Server = {}
Server.__index = Server

---@param opts? { args?: string[], log?: string }
function M.start(opts)
  local self = setmetatable({}, Server)
  self.log = opts and opts.log or vim.fn.tempname()
  self.stdin, self.stdout = uv.new_pipe(), uv.new_pipe()
  local args = { '--port', '0', '--log', self.log }
  vim.list_extend(args, opts and opts.args or {})
  local said = ''
  self.process = assert(uv.spawn(vim.env.SELFMIND_BIN .. '/messages-server', {
    args = args,
    stdio = { self.stdin, self.stdout, 2 },
  }, function() end))
  self.stdout:read_start(function(_, bytes)
    said = said .. (bytes or '')
  end)
  assert(
    vim.wait(30000, function()
      self.port = said:match('listening on (%d+)')
      return self.port ~= nil
    end, 1),
    'the server does not listen'
  )
  self.url = 'http://127.0.0.1:' .. self.port
  return self
end

---One exchange with the server itself, outside of any test's traffic.
---@param request string
---@return string body
function Server:talk(request)
  local socket, answer, body = uv.new_tcp(), '', nil
  socket:connect('127.0.0.1', tonumber(self.port), function(err)
    assert(not err, err)
    socket:write(request)
    socket:read_start(function(_, bytes)
      answer = answer .. (bytes or '')
      local length, start = answer:match('content%-length: (%d+).-\r\n\r\n()')
      if length and #answer >= start - 1 + tonumber(length) then
        body = answer:sub(start)
      end
    end)
  end)
  assert(
    vim.wait(30000, function()
      return body ~= nil
    end, 1),
    'the server does not answer'
  )
  socket:close()
  return body
end

---Says what the next requests are answered with; see `messages-server --help` and its script.h.
---@param ... table one entry for each request
function Server:next(...)
  local lines = {}
  for _, entry in ipairs({ ... }) do
    lines[#lines + 1] = vim.json.encode(entry)
  end
  local body = table.concat(lines, '\n')
  local answer = self:talk(('POST /__script HTTP/1.1\r\nhost: x\r\ncontent-length: %d\r\n\r\n%s'):format(#body, body))
  assert(answer == 'added\n', answer)
end

---@return table[] what it has logged: requests in order, and who went away early
function Server:heard()
  local file = io.open(self.log)
  if not file then
    return {}
  end
  local list = {}
  -- A long line may be on its way into the file: only what a newline ends is read.
  for line in file:read('*a'):gmatch('([^\n]*)\n') do
    list[#list + 1] = vim.json.decode(line)
  end
  file:close()
  return list
end

---@param kind? "chat"|"learn"
---@return table[] requests to /v1/messages
function Server:requests(kind)
  return vim.tbl_filter(function(entry)
    if not entry.body then
      return false
    end
    local learns = entry.body.output_config ~= nil
    return kind == nil or (kind == 'learn') == learns
  end, self:heard())
end

function Server:stop()
  if self.stdin:is_closing() then
    return
  end
  self.stdin:close()
  self.process:kill('sigterm')
end

return M
