-- How a conversation comes into its buffer and leaves it: asked from the host, rendered from the log, its draft kept.
-- Called by chat/init; conversations live in chat/conversations.

local M = {}

local api = vim.api
local buffer = require('selfmind.chat.buffer')
local complete = require('selfmind.complete')
local conversations = require('selfmind.chat.conversations')
local dress = require('selfmind.chat.dress')
local follow = require('selfmind.chat.follow')
local hold = require('selfmind.chat.hold')
local host = require('selfmind.host')
local labels = require('selfmind.chat.labels')
local log = require('selfmind.log')
local running = require('selfmind.chat.running')
local spent = require('selfmind.chat.spent')
local status = require('selfmind.chat.status')

local DRAFT_MS = 500 -- after the user has left the prompt
local group = api.nvim_create_augroup('selfmind.chat.opening', {})

---@param chat selfmind.Chat
---@return selfmind.Block[]
local function blocks(chat)
  local list, message = {}, 0
  for i, turn in ipairs(chat.turns) do
    local notes = {}
    if turn.role == 'user' then
      message = turn.id
      notes[1] = labels.recalled(#(turn.given or {}))
      if i == #chat.turns and turn.state == 'unanswered' and not chat.busy then
        notes[#notes + 1] = labels.done('failed')
      end
      notes[#notes + 1] = turn.notice and turn.notice ~= '' and labels.note(turn.notice) or nil
    else
      local following = chat.turns[i + 1]
      if following and following.role == 'assistant' then
        notes[1] = labels.asked_again() -- two replies in a row answer the same message
      elseif turn.state == 'streaming' and not chat.busy then
        notes[1] = labels.elsewhere()
      else
        notes[1] = labels.done(turn.state, turn.notice, true)
      end
    end
    list[#list + 1] = {
      header = turn.role == 'user' and labels.user() or labels.reply(turn.state, turn.model),
      text = turn.text,
      notes = notes,
      turn = message,
    }
  end
  return list
end

---@param conversation selfmind.Conversation
---@param chat selfmind.Chat
local function take_record(conversation, chat)
  conversation.title, conversation.project = chat.title or '', chat.project.name
  conversation.busy, conversation.missed = chat.busy, chat.busy
  conversation.given, conversation.newest, conversation.spent = {}, nil, spent.new()
  for _, turn in ipairs(chat.turns) do
    if turn.role == 'user' then
      conversation.newest = turn.id
      conversation.given[turn.id] = turn.given
    elseif turn.state ~= 'streaming' then
      spent.add(conversation.spent, turn.id, turn.usage, turn.cost_usd)
      conversation.model = turn.model or conversation.model
    end
  end
  local last = chat.turns[#chat.turns]
  conversation.streaming = chat.busy and last ~= nil and last.state == 'streaming'
  conversation.offline = status.offline() or (last ~= nil and last.state == 'offline')
  if next(conversation.given) then
    complete.memories(conversation.folder) -- fetched now, so that gm can show their texts
  end
  conversation.turn = chat.busy and conversation.newest or nil
  if chat.busy then
    hold.watch()
  end
end

---The log has of a running reply what had come some time ago, or nothing yet.
---@param chat selfmind.Chat
local function take_running(chat)
  local text = chat.busy and running.text(chat.chat)
  if not text then
    return
  end
  local last = chat.turns[#chat.turns]
  if not last or last.role ~= 'assistant' or last.state ~= 'streaming' then
    last = { role = 'assistant', state = 'streaming' }
    table.insert(chat.turns, last)
  end
  last.text = text
end

---Writes a conversation into its buffer as the log has it.
---@param conversation selfmind.Conversation
---@param chat selfmind.Chat
---@param draft string
local function render(conversation, chat, draft)
  take_record(conversation, chat)
  take_running(chat)
  local list = blocks(chat)
  local last = chat.turns[#chat.turns]
  local title = labels.title(conversation.title, conversation.project, conversation.private)
  buffer.render(conversation.view, title, list, draft)
  if last then
    buffer.resume(conversation.view, list[#list], last.role == 'assistant')
  end
  if chat.busy and last and last.role == 'user' then
    buffer.waiting(conversation.view, labels.thinking())
  end
  status.update(conversation)
end

---@param conversation selfmind.Conversation
---@param text string
function M.keep_draft(conversation, text)
  local there = not conversation.deleted and not conversation.gone
  if text ~= conversation.saved_draft and there and host.running() then
    conversation.saved_draft = text
    host.notify('chat.draft', { chat = conversation.id, text = text })
  end
end

---@param conversation selfmind.Conversation
function M.save_draft(conversation)
  if buffer.alive(conversation.view) then
    M.keep_draft(conversation, buffer.prompt_text(conversation.view))
  end
end

---A private chat goes with its buffer. `:e` unloads the buffer too, and loads it again at once.
---@param conversation selfmind.Conversation
local function close_unless_loaded(conversation)
  vim.schedule(function()
    local bufnr = conversation.bufnr
    if api.nvim_buf_is_valid(bufnr) and api.nvim_buf_is_loaded(bufnr) then
      return
    end
    if host.running() and not conversation.gone then
      host.notify('chat.close', { chat = conversation.id }, function()
        running.drop(conversation.id) -- nothing of it comes any more
      end)
    end
    if api.nvim_buf_is_valid(bufnr) then
      api.nvim_buf_delete(bufnr, { force = true })
    end
  end)
end

---@param bufnr integer
local function leave(bufnr)
  local conversation = conversations.in_buffer(bufnr)
  if conversation then
    M.save_draft(conversation)
    conversation.hold:close()
    conversations.remove(bufnr)
    if conversation.private then
      close_unless_loaded(conversation)
    end
  end
end

---Ends a private chat that no window shows any more.
---@param conversation selfmind.Conversation
function M.close_private(conversation)
  vim.schedule(function()
    local bufnr = conversation.bufnr
    if api.nvim_buf_is_valid(bufnr) and #vim.fn.win_findbuf(bufnr) == 0 then
      api.nvim_buf_delete(bufnr, { force = true })
    end
  end)
end

api.nvim_create_autocmd('WinClosed', {
  group = group,
  callback = function(event)
    local win = tonumber(event.match) --[[@as integer]]
    local conversation = api.nvim_win_is_valid(win) and conversations.in_buffer(api.nvim_win_get_buf(win))
    if conversation and conversation.private then
      M.close_private(conversation)
    end
  end,
})

---Keeps the draft when the user has left the prompt, and lets go of the conversation when its buffer goes.
---@param bufnr integer
local function watch(bufnr)
  local timer = assert(vim.uv.new_timer())
  api.nvim_clear_autocmds({ group = group, buffer = bufnr })
  api.nvim_create_autocmd({ 'BufLeave', 'InsertLeave' }, {
    group = group,
    buffer = bufnr,
    callback = function()
      if timer:is_closing() then
        return
      end
      timer:start(
        DRAFT_MS,
        0,
        vim.schedule_wrap(function()
          local conversation = conversations.in_buffer(bufnr)
          if conversation then
            M.save_draft(conversation)
          end
        end)
      )
    end,
  })
  api.nvim_create_autocmd('BufUnload', {
    group = group,
    buffer = bufnr,
    once = true, -- what is loaded again is watched again
    callback = function()
      timer:close()
      leave(bufnr)
    end,
  })
end

api.nvim_create_autocmd('VimLeavePre', {
  group = group,
  callback = function()
    for _, conversation in ipairs(conversations.all()) do
      M.save_draft(conversation)
    end
  end,
})

---@param bufnr integer
---@param folder string
---@param chat selfmind.Chat
---@param draft string
---@return selfmind.Conversation
local function attach(bufnr, folder, chat, draft)
  local private = chat.private == true -- a host of the same protocol may be older
  local view = buffer.new(bufnr, private)
  ---@type selfmind.Conversation
  local conversation = {
    id = chat.chat,
    uuid = chat.uuid,
    folder = folder,
    project = '',
    title = '',
    bufnr = bufnr,
    view = view,
    hold = nil,
    busy = false,
    streaming = false,
    offline = false,
    missed = false,
    hits = {},
    given = {},
    saved_draft = chat.draft or '',
    model = '',
    spent = spent.new(),
    private = private,
    gone = false,
  }
  conversation.hold = hold.new(bufnr, function(text)
    require('selfmind.chat').write(conversation, text)
  end, function()
    follow.redraw(bufnr)
  end)
  conversations.remove(bufnr)
  conversations.add(conversation)
  render(conversation, chat, draft)
  return conversation
end

local arriving = {} ---@type table<integer, { folder: string, chat: selfmind.Chat }> by buffer, while it is loaded

---Shows what the host has sent, in the chat's own buffer.
---@param folder string
---@param chat selfmind.Chat
---@return selfmind.Conversation
local function receive(folder, chat)
  local open = conversations.of(chat.chat)
  if open and buffer.alive(open.view) then
    return open
  end
  local bufnr = vim.fn.bufadd(conversations.name(chat.uuid, chat.private))
  arriving[bufnr] = { folder = folder, chat = chat }
  if api.nvim_buf_is_loaded(bufnr) then
    M.read(bufnr)
  else
    vim.fn.bufload(bufnr) -- comes back through BufReadCmd to `read`
  end
  arriving[bufnr] = nil
  return conversations.of(chat.chat) --[[@as selfmind.Conversation]]
end

---@param params { folder: string, fresh?: boolean, private?: boolean, chat?: integer }
---@param callback fun(conversation: selfmind.Conversation)
function M.open(params, callback)
  host.notify('chat.open', params, function(err, chat)
    if err then
      return log.failed(err)
    end
    callback(receive(params.folder, chat --[[@as selfmind.Chat]]))
  end)
end

---Shows the log again in an open conversation. What is typed in the prompt stays.
---@param conversation selfmind.Conversation
function M.reload(conversation)
  host.notify('chat.open', { folder = conversation.folder, chat = conversation.id }, function(err, chat)
    if err then
      return log.failed(err)
    end
    if conversations.of(conversation.id) == conversation and buffer.alive(conversation.view) then
      conversation.hold:flush()
      render(conversation, chat --[[@as selfmind.Chat]], buffer.prompt_text(conversation.view))
    end
  end)
end

---@param bufnr integer
---@return string where its window is: a session restores some that are in another tab page than the current one
local function folder_of(bufnr)
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    if vim.fn.win_gettype(win) ~= 'autocmd' then -- Neovim's own, as long as an event is handled
      return vim.fn.getcwd(win, api.nvim_tabpage_get_number(api.nvim_win_get_tabpage(win)))
    end
  end
  return vim.fn.getcwd()
end

---For BufReadCmd: `:e` in a chat, a buffer that is loaded again, a session that is restored.
---@param bufnr integer
function M.read(bufnr)
  dress(bufnr)
  watch(bufnr)
  local new = arriving[bufnr]
  if new then
    attach(bufnr, new.folder, new.chat, new.chat.draft or '')
    return
  end
  local name = api.nvim_buf_get_name(bufnr)
  local known = conversations.known(name)
  local uuid, private = conversations.uuid(name)
  local params = { folder = known and known.folder or folder_of(bufnr), uuid = uuid, private = private or nil }
  host.notify('chat.open', params, function(err, chat)
    if err then
      return log.failed(err)
    end
    if not api.nvim_buf_is_loaded(bufnr) then
      return
    end
    attach(bufnr, params.folder, chat, chat.draft or '')
    for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
      follow.to_prompt(win)
    end
  end)
end

return M
