-- A real Neovim with a screen: `nvim --embed`, driven from outside over its RPC by a client of our own. (Neovim's own
-- client, rpcrequest, closes a channel that sends it redraw events.) What it draws is kept as a grid of cells.

local M = {}

local uv = vim.uv

local LIMIT_MS = 45000 -- how long a test waits for a condition
local POLL_MS = 5

---@class e2e.Neovim
---@field flushes integer how often the screen was drawn
---@field exited? { code: integer, signal: integer }
local Neovim = {}
Neovim.__index = Neovim

local function handle(data)
  return data
end

---@param self e2e.Neovim
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
    elseif message[1] == 2 and message[2] == 'redraw' then
      for _, event in ipairs(message[3]) do
        local draw = self['draw_' .. event[1]]
        for i = 2, draw and #event or 0 do
          draw(self, unpack(event[i]))
        end
      end
    end
  end
end

---@class e2e.Options
---@field nvim string
---@field args string[]
---@field env table<string, string>
---@field cwd string
---@field columns? integer
---@field lines? integer

---@param opts e2e.Options
---@return e2e.Neovim
function M.start(opts)
  local self = setmetatable({ responses = {}, last_id = 0, flushes = 0, grid = {} }, Neovim)
  self.unpack = vim.mpack.Unpacker({ ext = { [0] = handle, [1] = handle, [2] = handle } })
  self.stdin, self.stdout = uv.new_pipe(), uv.new_pipe()
  local env = {}
  for name, value in pairs(opts.env) do
    env[#env + 1] = name .. '=' .. value
  end
  self.process, self.pid = uv.spawn(opts.nvim, {
    args = vim.list_extend({ '--embed' }, opts.args),
    env = env,
    cwd = opts.cwd,
    stdio = { self.stdin, self.stdout, nil },
  }, function(code, signal)
    self.exited = { code = code, signal = signal }
  end)
  assert(self.process, 'nvim was not started: ' .. tostring(self.pid))
  self.stdout:read_start(function(_, bytes)
    if bytes then
      take(self, bytes)
    end
  end)
  self:request('nvim_ui_attach', opts.columns or 80, opts.lines or 24, { ext_linegrid = true, rgb = true })
  -- Calls are answered while it still starts.
  self:wait('its start', function()
    local running, entered = pcall(self.lua, self, 'return vim.v.vim_did_enter')
    return entered == 1 or not running and self.exited
  end)
  return self
end

function Neovim:draw_grid_resize(_, columns, lines)
  for row = 0, lines - 1 do
    self.grid[row] = self.grid[row] or {}
    for column = 0, columns - 1 do
      self.grid[row][column] = self.grid[row][column] or ' '
    end
  end
  self.columns, self.lines = columns, lines
end

function Neovim:draw_grid_clear()
  for row = 0, self.lines - 1 do
    for column = 0, self.columns - 1 do
      self.grid[row][column] = ' '
    end
  end
end

function Neovim:draw_grid_line(_, row, column, cells)
  for _, cell in ipairs(cells) do
    for _ = 1, cell[3] or 1 do
      self.grid[row][column] = cell[1]
      column = column + 1
    end
  end
end

function Neovim:draw_grid_scroll(_, top, bottom, left, right, rows)
  local first, last, step = top, bottom - 1 - rows, 1
  if rows < 0 then
    first, last, step = bottom - 1, top - rows, -1
  end
  for row = first, last, step do
    for column = left, right - 1 do
      self.grid[row][column] = self.grid[row + rows][column]
    end
  end
end

function Neovim:draw_flush()
  self.flushes = self.flushes + 1
end

---@return string the screen, a line a row, without blanks at the ends
function Neovim:screen()
  local rows = {}
  for row = 0, (self.lines or 0) - 1 do
    local cells = {}
    for column = 0, self.columns - 1 do
      cells[#cells + 1] = self.grid[row][column]
    end
    rows[#rows + 1] = (table.concat(cells):gsub('%s+$', ''))
  end
  return table.concat(rows, '\n')
end

---@param method string
function Neovim:send(method, ...)
  self.last_id = self.last_id + 1
  self.stdin:write(vim.mpack.encode({ 0, self.last_id, method, { ... } }))
  return self.last_id
end

---Calls an API function and waits for its answer.
function Neovim:request(method, ...)
  local id = self:send(method, ...)
  local answered = vim.wait(LIMIT_MS, function()
    return self.responses[id] ~= nil or self.exited ~= nil
  end, 1)
  local response = self.responses[id]
  self.responses[id] = nil
  if not answered or not response then
    error(('%s was not answered; the screen:\n%s'):format(method, self:screen()), 2)
  end
  if response.err ~= vim.NIL then
    error(('%s: %s'):format(method, vim.inspect(response.err)), 2)
  end
  return response.result ~= vim.NIL and response.result or nil
end

---Runs Lua in it.
function Neovim:lua(code, ...)
  return self:request('nvim_exec_lua', code, { ... })
end

---Types keys, written as in a mapping. They are worked off when this returns.
function Neovim:type(keys)
  self:request('nvim_input', keys)
  self:request('nvim_exec_lua', 'return 1', {}) -- waits behind the keys, unlike nvim_get_mode
end

function Neovim:command(command)
  self:request('nvim_command', command)
end

---Waits until `holds` gives a true value, and returns it.
---@param what string for the failure
---@param holds fun(): any
function Neovim:wait(what, holds)
  local limit = uv.hrtime() + LIMIT_MS * 1e6
  repeat
    -- Not as vim.wait's own condition: that one must not wait itself, and `holds` may run a program.
    local value = holds()
    if value ~= nil and value ~= false then
      return value
    end
    vim.wait(POLL_MS, function()
      return false
    end, POLL_MS)
  until uv.hrtime() > limit
  error(('waited in vain for %s; the screen:\n%s'):format(what, self:screen()), 2)
end

---Waits until the screen shows `text`.
function Neovim:see(text)
  self:wait(('"%s" on the screen'):format(text), function()
    return self:screen():find(text, 1, true)
  end)
end

---Waits for its end; returns the milliseconds that took.
---@return integer
function Neovim:wait_exit()
  local start = uv.hrtime()
  local ok = vim.wait(LIMIT_MS, function()
    return self.exited ~= nil
  end, 1)
  assert(ok, 'Neovim does not end; the screen:\n' .. self:screen())
  return math.floor((uv.hrtime() - start) / 1e6)
end

---Types `:qa!` and waits for the end.
---@return integer ms
function Neovim:quit()
  self:send('nvim_input', '<C-\\><C-n>:qa!<CR>')
  return self:wait_exit()
end

---@param signal? string
function Neovim:kill(signal)
  if not self.exited then
    self.process:kill(signal or 'sigkill')
    self:wait_exit()
  end
end

return M
