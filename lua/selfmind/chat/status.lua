-- What a chat is doing and has used: in `vim.b.selfmind`, as a line for the status line, and as one for the winbar.
-- Told by chat/init and chat/opening when something has changed; the lines are read whenever Neovim draws.

local M = {}

local api = vim.api
local config = require('selfmind.config')
local conversations = require('selfmind.chat.conversations')
local host = require('selfmind.host')
local oneline = require('selfmind.memories.line')
local spent = require('selfmind.chat.spent')

local TITLE_COLUMNS_MIN = 12 -- a shorter piece of a title says nothing
local APART = ' · '

---@class selfmind.Status `vim.b.selfmind`
---@field chat integer
---@field title string
---@field project string
---@field private boolean
---@field model string
---@field state "idle"|"sending"|"streaming"|"countdown"|"offline"|"gone"
---@field seconds? integer of a countdown
---@field tokens selfmind.Usage
---@field cached? number
---@field cost_usd? number

---@class selfmind.Part
---@field text string
---@field rank integer what has a higher one goes first where there is no room

local winbars = {} ---@type table<integer, { width: integer, text: string }> by buffer, until something changes

---@param conversation selfmind.Conversation
---@return string
local function state(conversation)
  if conversation.gone then
    return 'gone'
  elseif not conversation.busy then
    return conversation.offline and 'offline' or 'idle'
  elseif conversation.pause then
    return 'countdown'
  end
  return conversation.streaming and 'streaming' or 'sending'
end

---@param conversation selfmind.Conversation
---@return selfmind.Status
local function of(conversation)
  local hello = host.info()
  conversation.model = hello and hello.chat_model or conversation.model
  local what = state(conversation)
  return {
    chat = conversation.id,
    title = conversation.title,
    project = conversation.project,
    private = conversation.private,
    model = conversation.model,
    state = what,
    seconds = what == 'countdown' and conversation.seconds or nil,
    tokens = vim.deepcopy(conversation.spent.tokens),
    cached = spent.cached(conversation.spent),
    cost_usd = conversation.spent.cost_usd,
  }
end

---@return boolean whether the host said that it has nobody to ask, and no key is still to come
function M.offline()
  local hello = host.info()
  return hello ~= nil and hello.online == false and not config.get().api_key
end

---Something about the conversation may have changed.
---@param conversation selfmind.Conversation
function M.update(conversation)
  local bufnr = conversation.bufnr
  if not api.nvim_buf_is_valid(bufnr) then
    return
  end
  local status = of(conversation)
  if vim.deep_equal(status, conversation.status) then
    return
  end
  conversation.status, winbars[bufnr] = status, nil
  vim.b[bufnr].selfmind = status
  if not api.nvim_get_mode().mode:find('^r') then -- a question to the user stays as it is drawn
    vim.cmd('redrawstatus!')
  end
end

---@param count integer
---@return string "950", "12.3k", "1.2M"
local function short(count)
  if count < 1000 then
    return tostring(count)
  elseif count < 999950 then
    return ('%.1fk'):format(count / 1000)
  end
  return ('%.1fM'):format(count / 1e6)
end

---@param status selfmind.Status
---@return selfmind.Part[]
local function parts(status)
  local list = {} ---@type selfmind.Part[]
  local function add(rank, text)
    list[#list + 1] = { rank = rank, text = text }
  end
  if status.private then
    add(0, 'private')
  end
  if status.model ~= '' then
    add(4, status.model)
  end
  add(1, status.seconds and ('countdown %d s'):format(status.seconds) or status.state)
  local total = spent.total(status.tokens)
  if total > 0 then
    add(3, short(total) .. ' tokens')
    if status.tokens.cache_read > 0 then
      add(5, ('%d%% cached'):format(math.floor(status.cached * 100 + 0.5)))
    end
    if status.cost_usd then
      add(2, ('$%.' .. (status.cost_usd < 0.1 and 4 or 2) .. 'f'):format(status.cost_usd))
    end
  end
  return list
end

---@param list selfmind.Part[]
---@return string
local function joined(list)
  local texts = {}
  for i, part in ipairs(list) do
    texts[i] = oneline.flat((part.text:gsub('%c', ' ')))
  end
  return table.concat(texts, APART)
end

---@param text string
---@return string that a 'statusline' shows as it is
local function escaped(text)
  return (text:gsub('%%', '%%%%'))
end

---@param status selfmind.Status
---@return string for 'statusline'
local function status_line(status)
  return escaped(joined(parts(status)))
end

---@param status selfmind.Status
---@param width integer columns
---@return string for the winbar: with the project and title where there is room, without less important things where
---there is little
local function winbar_line(status, width)
  local list = parts(status)
  local dropped = false
  while vim.fn.strdisplaywidth(joined(list)) > width and #list > 1 do
    local least = 1
    for i, part in ipairs(list) do
      least = part.rank > list[least].rank and i or least
    end
    table.remove(list, least)
    dropped = true
  end
  local line = oneline.cut(joined(list), width)
  local left = width - vim.fn.strdisplaywidth(line) - 2
  local title = status.title ~= '' and status.project .. APART .. status.title or status.project
  if dropped or left < TITLE_COLUMNS_MIN then
    return escaped(line)
  end
  title = oneline.cut(oneline.flat((title:gsub('%c', ' '))), left)
  return ('%s%%=%s'):format(escaped(title), escaped(line))
end

---The line of the chat in a buffer, or in sight; empty where there is none.
---@param bufnr? integer
---@return string
function M.statusline(bufnr)
  local drawn = vim.g.statusline_winid -- set only while a "%!" expression is evaluated; else it is the current window
  drawn = drawn and api.nvim_win_is_valid(drawn) and drawn or 0
  local conversation = conversations.in_buffer(bufnr or api.nvim_win_get_buf(drawn))
  if not conversation and not bufnr then
    for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
      conversation = conversation or conversations.in_buffer(api.nvim_win_get_buf(win))
    end
  end
  return conversation and conversation.status and status_line(conversation.status) or ''
end

---The winbar of the window that is being drawn.
---@return string
function M.drawn_winbar()
  local bufnr, width = api.nvim_get_current_buf(), api.nvim_win_get_width(0)
  local known = winbars[bufnr]
  if known and known.width == width then
    return known.text
  end
  local conversation = conversations.in_buffer(bufnr)
  if not conversation or not conversation.status then
    return ''
  end
  local text = winbar_line(conversation.status, width)
  winbars[bufnr] = { width = width, text = text }
  return text
end

return M
