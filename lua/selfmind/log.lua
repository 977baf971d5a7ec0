-- Everything the plugin says to the user goes through here: the only caller of vim.notify. Also keeps the last lines,
-- quiet ones too, for `:SelfMind log`.

local M = {}

local RING_LINES = 200 -- enough to see what led to a problem
local ring = {} ---@type string[]
local said_once = {} ---@type table<string, boolean>

---@param level string
---@param text string
local function keep(level, text)
  ring[#ring + 1] = ('%s %-5s %s'):format(os.date('%H:%M:%S'), level, text)
  if #ring > RING_LINES then
    table.remove(ring, 1)
  end
end

---@param level string
---@param text string
local function say(level, text)
  keep(level, text)
  local function notify()
    vim.notify('selfmind: ' .. text, vim.log.levels[level])
  end
  if vim.in_fast_event() then
    vim.schedule(notify)
  else
    notify()
  end
end

---Kept for `:SelfMind log`, not shown.
---@param text string
function M.debug(text)
  keep('DEBUG', text)
end

---@param text string
function M.info(text)
  say('INFO', text)
end

---@param text string
function M.warn(text)
  say('WARN', text)
end

---@param text string
function M.error(text)
  say('ERROR', text)
end

---The same text is shown once in an editor's life.
---@param text string
function M.warn_once(text)
  if not said_once[text] then
    said_once[text] = true
    M.warn(text)
  end
end

---@param text string
---@return string the same without what looks like a key: words that begin so, or long ones of letters and digits
function M.masked(text)
  return (text:gsub('[%w_-]+', function(word)
    local long = #word >= 20 and word:find('%d') and word:find('%a')
    return (long or word:find('^sk%-')) and '[key]' or word
  end))
end

---Shows the error of an answer. A missing or dead host was reported where it was noticed, so not here again.
---@param err selfmind.Error
function M.failed(err)
  if err.kind == 'host' then
    M.debug(err.message)
  else
    M.warn(err.message)
  end
end

---@return string[] oldest first
function M.lines()
  return vim.deepcopy(ring)
end

return M
