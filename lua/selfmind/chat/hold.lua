-- Holds back what the host wrote while the user types in the same chat, so that both keep whole undo steps: until a
-- pause in the typing, a moment at most. Things come out in the order they went in.

local M = {}

local api = vim.api
local log = require('selfmind.log')

local PAUSE_MS = 300 -- no key for that long is a pause
local HELD_MS_MAX = 2000 -- then it is written all the same
local LOCKED_MS = 50 -- until the next try, when Neovim forbids changes for a moment (E565)

local last_key = 0
local interrupted = function() end
local key_watch = api.nvim_create_namespace('selfmind.hold')

---@class selfmind.Hold
---@field bufnr integer
---@field items fun()[]
---@field text string[] deltas not yet made into an item
---@field write fun(text: string)
---@field after fun()
---@field since integer when the first of the items came
---@field timer? uv.uv_timer_t
local Hold = {}
Hold.__index = Hold

---@param bufnr integer
---@return integer ms until the typing may count as paused; 0 when nobody types
local function typing_ms(bufnr)
  if api.nvim_get_current_buf() ~= bufnr or not api.nvim_get_mode().mode:match('^[iR]') then
    return 0
  end
  if vim.fn.pumvisible() == 1 then
    return PAUSE_MS
  end
  return math.max(0, PAUSE_MS - (vim.uv.now() - last_key))
end

---@param bufnr integer
---@param write fun(text: string) shows a piece of the reply
---@param after fun() called when something was shown
---@return selfmind.Hold
function M.new(bufnr, write, after)
  return setmetatable({ bufnr = bufnr, items = {}, text = {}, write = write, after = after, since = 0 }, Hold)
end

---@param callback fun() called for a <C-c> that no mapping has seen: Neovim takes one that comes at a bad moment, as
---while the screen is drawn, for an interrupt
function M.on_interrupt(callback)
  interrupted = callback
end

---A reply is under way: notices when keys are typed.
function M.watch()
  vim.on_key(function(key)
    last_key = vim.uv.now()
    if key == '\3' then
      vim.schedule(interrupted)
    end
  end, key_watch)
end

---No reply is under way any more.
function M.rest()
  vim.on_key(nil, key_watch)
end

---@param self selfmind.Hold
local function close_text(self)
  if #self.text > 0 then
    local text = table.concat(self.text)
    self.text = {}
    self.items[#self.items + 1] = function()
      self.write(text)
    end
  end
end

---@param self selfmind.Hold
---@param ms integer
local function later(self, ms)
  self.timer = self.timer or vim.uv.new_timer()
  self.timer:start(
    ms,
    0,
    vim.schedule_wrap(function()
      self:poll()
    end)
  )
end

---Shows everything now, whoever types.
function Hold:flush()
  close_text(self)
  local shown = #self.items > 0
  while #self.items > 0 do
    local ok, why = pcall(self.items[1])
    if not ok and tostring(why):find('E565', 1, true) then
      return later(self, LOCKED_MS)
    end
    table.remove(self.items, 1)
    if not ok then
      log.error('internal error: ' .. tostring(why))
    end
  end
  if shown then
    self.after()
  end
end

---Shows what is held if it may be shown now, else looks again later.
function Hold:poll()
  if #self.items == 0 and #self.text == 0 then
    return
  end
  if not api.nvim_buf_is_loaded(self.bufnr) then
    return self:close()
  end
  vim.uv.update_time()
  local pause = typing_ms(self.bufnr)
  local left = HELD_MS_MAX - (vim.uv.now() - self.since)
  if pause > 0 and left > 0 then
    return later(self, math.min(pause, left))
  end
  self:flush()
end

---@param self selfmind.Hold
local function begin(self)
  if #self.items == 0 and #self.text == 0 then
    vim.uv.update_time()
    self.since = vim.uv.now()
  end
end

---@param text string
function Hold:push(text)
  begin(self)
  self.text[#self.text + 1] = text
  self:poll()
end

---Runs `what` when everything before it has been shown.
---@param what fun()
function Hold:run(what)
  begin(self)
  close_text(self)
  self.items[#self.items + 1] = what
  if #self.items == 1 then
    self:flush() -- nothing is held, and `what` itself writes no text
  else
    self:poll()
  end
end

---Drops what is held: its buffer has gone, and the log has everything.
function Hold:close()
  self.items, self.text = {}, {}
  if self.timer and not self.timer:is_closing() then
    self.timer:close()
  end
  self.timer = nil
end

return M
