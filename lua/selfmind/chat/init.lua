-- One conversation, as the user drives it and as the host tells it: submit, stop, retry; recalled, text, done, learned.
-- Writes through chat/buffer, asks through host, knows no line of any buffer.

local M = {}

local api = vim.api
local buffer = require('selfmind.chat.buffer')
local conversations = require('selfmind.chat.conversations')
local countdown = require('selfmind.chat.countdown')
local follow = require('selfmind.chat.follow')
local hold = require('selfmind.chat.hold')
local host = require('selfmind.host')
local labels = require('selfmind.chat.labels')
local log = require('selfmind.log')
local opening = require('selfmind.chat.opening')
local running = require('selfmind.chat.running')
local slash = require('selfmind.chat.slash')
local spent = require('selfmind.chat.spent')
local status = require('selfmind.chat.status')
local validate = require('selfmind.validate')
local window = require('selfmind.chat.window')

---@return selfmind.Conversation? of the current buffer, or of the chat in sight
local function in_sight()
  local conversation = conversations.in_buffer(api.nvim_get_current_buf())
  if conversation then
    return conversation
  end
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    conversation = conversations.in_buffer(api.nvim_win_get_buf(win))
    if conversation then
      return conversation
    end
  end
end

---@return selfmind.Conversation?
local function here()
  local conversation = in_sight()
  if not conversation then
    log.warn('no chat is open here: :SelfMind chat opens one')
  end
  return conversation
end

---@return string?
local function model()
  local hello = host.info()
  return hello and hello.chat_model
end

---@param conversation selfmind.Conversation
---@param turn? integer
local function show_at(conversation, turn)
  local win = window.show(conversation.bufnr, buffer.prompt_line(conversation.view))
  local row = turn and buffer.row_of(conversation.view, turn)
  if row then
    api.nvim_win_set_cursor(win, { row + 1, 0 })
  end
end

---Opens the last chat of the current folder's project, a new one, one of which nothing is kept, or one by its id, at a
---message of it.
---@param opts? { fresh?: boolean, private?: boolean, chat?: integer, turn?: integer }
function M.open(opts)
  local folder = vim.fn.getcwd()
  local open = opts and opts.private and conversations.private_in(folder)
  if open then
    return window.show(open.bufnr, buffer.prompt_line(open.view))
  end
  opts = opts or {}
  local params = { folder = folder, fresh = opts.fresh, private = opts.private, chat = opts.chat }
  opening.open(params, function(conversation)
    show_at(conversation, opts.turn)
  end)
end

---Closes the chat of this tab page, or opens it.
function M.toggle()
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    local conversation = conversations.in_buffer(api.nvim_win_get_buf(win))
    if conversation then
      opening.save_draft(conversation)
      window.close(win)
      return conversation.private and opening.close_private(conversation)
    end
  end
  M.open()
end

---For BufReadCmd.
---@param bufnr integer
function M.read(bufnr)
  opening.read(bufnr)
end

---One line of answer, where the user is looking: in insert mode "-- INSERT --" covers what vim.notify prints.
---@param conversation selfmind.Conversation
---@param line string
local function tell(conversation, line)
  if api.nvim_get_mode().mode:sub(1, 1) ~= 'i' or not buffer.alive(conversation.view) then
    return log.info(line)
  end
  log.debug(line)
  buffer.answer(conversation.view, labels.answer(line))
end

---@param conversation selfmind.Conversation
---@param command selfmind.Slash
local function run_slash(conversation, command)
  local verbs = require('selfmind.memories.verbs')
  buffer.set_prompt(conversation.view, command.rest)
  if command.name == 'remember' then
    return verbs.remember(command.args, {
      folder = conversation.folder,
      tell = function(line)
        tell(conversation, line)
      end,
    })
  end
  vim.cmd.stopinsert() -- the others open a window, or ask
  if command.name == 'forget' then
    require('selfmind.commands').forget_from(command.args, false, conversation.folder)
  elseif command.name == 'memories' then
    require('selfmind.memories.buffer').open(conversation.folder)
  else
    verbs.stats(conversation.folder)
  end
end

---@param conversation selfmind.Conversation
local function end_pause(conversation)
  if conversation.pause then
    countdown.stop(conversation.pause)
    conversation.pause = nil
    status.update(conversation)
  end
end

---Watches no keys when no reply is under way any more.
local function rest()
  if not conversations.any_busy() then
    hold.rest()
  end
end

---@param conversation selfmind.Conversation
---@param method "turn.start"|"turn.retry"
---@param params table
---@param refused fun()
local function ask(conversation, method, params, refused)
  conversation.busy, conversation.streaming, conversation.missed, conversation.turn = true, false, false, nil
  hold.watch()
  host.send_key()
  host.notify(method, params, function(err, result)
    if not err then
      conversation.turn, conversation.newest = result.turn, result.turn
      buffer.name_message(conversation.view, result.turn)
      return
    end
    conversation.busy = err.kind == 'running'
    status.update(conversation)
    rest()
    log.failed(err)
    if buffer.alive(conversation.view) then
      conversation.hold:flush()
      buffer.waiting(conversation.view, nil)
      refused()
    end
  end)
  if conversation.busy then
    buffer.waiting(conversation.view, labels.waiting(model()))
  end
  status.update(conversation)
end

---@param conversation selfmind.Conversation
---@return boolean
local function still_busy(conversation)
  if conversation.gone then
    tell(conversation, labels.gone)
    return true
  end
  if conversation.busy then
    tell(conversation, 'still being written: <C-c> in normal mode stops the reply')
  end
  return conversation.busy
end

---@param conversation selfmind.Conversation
---@param text string
local function send(conversation, text)
  buffer.send(conversation.view, labels.user(), text)
  conversation.saved_draft = '' -- the host clears it where it keeps the message, in one step
  ask(conversation, 'turn.start', { chat = conversation.id, text = text }, function()
    buffer.unsend(conversation.view, text)
  end)
end

---Asks in the chat in sight, else in the project's last one. A question is sent, with the excerpt below it. Without
---one, or where a message is typed already or a reply is being written, both wait in the prompt.
---@param question string may be empty
---@param excerpt? string lines of a buffer (chat/excerpt.lua)
function M.ask(question, excerpt)
  validate('question', question, 'string')
  validate('excerpt', excerpt, 'string', true)
  local function put(conversation)
    window.show(conversation.bufnr, buffer.prompt_line(conversation.view))
    conversation.hold:flush()
    local draft = buffer.prompt_text(conversation.view)
    local typed = draft == '' and question or question == '' and draft or draft .. '\n\n' .. question
    local text = excerpt and typed .. '\n\n' .. excerpt or typed
    if question ~= '' and draft == '' and not conversation.busy and not conversation.gone then
      return send(conversation, text)
    end
    buffer.set_prompt(conversation.view, text)
    local line = buffer.prompt_line(conversation.view) + #vim.split(typed, '\n')
    api.nvim_win_set_cursor(0, { line, 0 })
    vim.cmd.startinsert({ bang = true })
  end
  local open = in_sight()
  if open and buffer.alive(open.view) then
    return put(open)
  end
  opening.open({ folder = vim.fn.getcwd() }, put)
end

---Sends what stands in the prompt: a message, or one of the slash lines.
function M.submit()
  local conversation = here()
  if not conversation then
    return
  end
  conversation.hold:flush()
  local text = buffer.prompt_text(conversation.view)
  if vim.trim(text) == '' then
    return
  end
  local command = slash.parse(text)
  if command then
    return run_slash(conversation, command)
  end
  if still_busy(conversation) then
    return
  end
  send(conversation, text)
end

---Sends the newest message again, if it has no reply or one that broke off. Cuts a countdown short.
function M.retry()
  local conversation = here()
  if not conversation then
    return
  end
  if conversation.pause then
    end_pause(conversation)
    buffer.waiting(conversation.view, labels.waiting(model()))
    return host.notify('turn.retry', { chat = conversation.id }, function(err)
      if err then
        log.failed(err)
      end
    end)
  end
  if still_busy(conversation) then
    return
  end
  buffer.ask_again(conversation.view)
  ask(conversation, 'turn.retry', { chat = conversation.id }, function() end)
end

---Asks for the rest of a reply that broke off, in a message of its own: what there is of it stands in the conversation,
---and no current model goes on from the middle of its own words.
function M.continue()
  local conversation = here()
  if not conversation or still_busy(conversation) then
    return
  end
  if not buffer.has_reply(conversation.view) then
    return log.info('there is no reply to continue; gR sends the message again')
  end
  send(conversation, 'Continue your last reply exactly where it broke off, without repeating what is there already.')
end

---Stops the reply that is being written.
function M.stop()
  local conversation = here()
  if not conversation or conversation.gone then
    return
  end
  host.notify('turn.stop', { chat = conversation.id }, function(err, result)
    if err then
      log.failed(err)
    elseif not result.stopped then
      log.info('nothing to stop')
    end
  end)
end

---Chats that were deleted: their buffers go, with what was typed in them.
---@param ids integer[]
function M.gone(ids)
  for _, id in ipairs(ids) do
    running.drop(id)
    local conversation = conversations.of(id)
    if conversation then
      conversation.deleted, conversation.busy = true, false
      end_pause(conversation)
      rest()
      if api.nvim_buf_is_valid(conversation.bufnr) then
        api.nvim_buf_delete(conversation.bufnr, { force = true })
      end
    end
  end
end

hold.on_interrupt(function()
  local conversation = conversations.in_buffer(api.nvim_get_current_buf())
  if conversation and conversation.busy and api.nvim_get_mode().mode == 'n' then
    M.stop()
  end
end)

---@param ids integer[]
---@return string[]
local function given_lines(ids)
  local lines = {}
  for _, id in ipairs(ids) do
    local memory = require('selfmind.complete').find(id)
    lines[#lines + 1] = ('%5d  %s'):format(id, memory and memory.text or '(its text is in :Memories)')
  end
  return lines
end

---Shows what was recalled for the message under the cursor, else for the newest.
function M.show_recalled()
  local conversation = here()
  if not conversation then
    return
  end
  local turn = conversation.newest
  if api.nvim_get_current_buf() == conversation.bufnr then
    turn = buffer.turn_at(conversation.view, api.nvim_win_get_cursor(0)[1] - 1) or turn
  end
  local hits = turn and conversation.hits[turn]
  local given = turn and conversation.given[turn]
  local lines = hits and require('selfmind.memories.verbs').hit_lines(hits) or given and given_lines(given) or {}
  if #lines == 0 then
    return log.info('nothing was recalled for this message')
  end
  require('selfmind.float').open('recalled', lines)
end

---Shows a piece of the running reply; called by the hold, in order.
---@param conversation selfmind.Conversation
---@param text string
function M.write(conversation, text)
  if not buffer.alive(conversation.view) then
    return
  end
  end_pause(conversation)
  buffer.waiting(conversation.view, nil)
  buffer.append(conversation.view, labels.reply('streaming', model()), text, conversation.turn or 0)
end

---Gives an event to its conversation, behind what is held. Without a buffer it is dropped: the log has everything.
---@generic T: { chat: integer }
---@param handler fun(conversation: selfmind.Conversation, payload: T)
---@return fun(payload: T)
local function in_order(handler)
  return function(payload)
    local conversation = conversations.of(payload.chat)
    if conversation and buffer.alive(conversation.view) then
      conversation.hold:run(function()
        handler(conversation, payload)
      end)
    end
  end
end

---@param conversation selfmind.Conversation
---@param payload selfmind.RecalledEvent
local function recalled(conversation, payload)
  conversation.hits[payload.turn] = payload.hits
  local line = labels.recalled(#payload.hits, payload.late)
  if line then
    buffer.note(conversation.view, 'message', line)
    buffer.waiting(conversation.view, labels.waiting(model()))
  end
end

---@param conversation selfmind.Conversation
---@param payload selfmind.PausingEvent
local function pausing(conversation, payload)
  end_pause(conversation)
  conversation.pause = countdown.start(payload.milliseconds, function(seconds)
    if not buffer.alive(conversation.view) then
      return end_pause(conversation)
    end
    conversation.seconds = seconds
    if seconds > 0 then
      buffer.waiting(conversation.view, labels.pausing(payload.notice, seconds))
    else
      conversation.pause = nil
      buffer.waiting(conversation.view, labels.waiting(model()))
    end
    status.update(conversation)
    follow.redraw(conversation.bufnr)
  end)
  status.update(conversation)
end

---@param conversation selfmind.Conversation
---@param payload selfmind.DoneEvent
local function done(conversation, payload)
  buffer.waiting(conversation.view, nil)
  if conversation.missed then
    return opening.reload(conversation)
  end
  local has_reply = buffer.has_reply(conversation.view)
  if has_reply then
    buffer.reply_header(conversation.view, labels.reply(payload.state, payload.model or model()))
  end
  local line = labels.done(payload.state, payload.notice, has_reply)
  buffer.note(conversation.view, has_reply and 'reply' or 'message', line)
end

---@type table<string, fun(payload: table)> what the host tells, under its own names
M.on = {
  ['turn/recalled'] = in_order(recalled),

  ['turn/thinking'] = in_order(function(conversation)
    end_pause(conversation)
    buffer.waiting(conversation.view, labels.thinking(model()))
  end),

  ['turn/pausing'] = in_order(pausing),

  ['turn/text'] = function(payload)
    running.add(payload.chat, payload.text)
    local conversation = conversations.of(payload.chat)
    if conversation and buffer.alive(conversation.view) then
      conversation.turn = payload.turn
      if not conversation.streaming then
        conversation.streaming = true
        status.update(conversation)
      end
      conversation.hold:push(payload.text)
    end
  end,

  ['turn/note'] = in_order(function(conversation, payload)
    buffer.note(conversation.view, payload.under, labels.note(payload.notice))
    if payload.under == 'message' and conversation.busy then
      buffer.waiting(conversation.view, labels.waiting(model()))
    end
  end),

  ['turn/done'] = function(payload)
    running.drop(payload.chat)
    local conversation = conversations.of(payload.chat)
    if conversation then
      conversation.busy, conversation.offline = false, payload.state == 'offline'
      spent.add(conversation.spent, payload.reply, payload.usage, payload.cost_usd)
      end_pause(conversation)
      status.update(conversation)
      rest()
      in_order(done)(payload)
    end
  end,

  ['learn/done'] = in_order(function(conversation, payload)
    for _, line in ipairs(labels.learned(payload.stored)) do
      buffer.note(conversation.view, 'reply', line)
    end
  end),

  ['learn/failed'] = in_order(function(conversation, payload)
    buffer.note(conversation.view, 'reply', labels.note(payload.notice))
  end),
}

---The host had all there was of a private chat. What the window shows can be read until it is closed.
---@param conversation selfmind.Conversation
local function lose(conversation)
  conversations.lose(conversation)
  status.update(conversation)
  if buffer.alive(conversation.view) then
    local where = buffer.has_reply(conversation.view) and 'reply' or 'message'
    buffer.note(conversation.view, where, labels.note(labels.gone, 'SelfMindError'))
    follow.redraw(conversation.bufnr)
  end
end

host.on_gone(function()
  running.drop_all()
  for _, conversation in ipairs(conversations.all()) do
    if conversation.busy then
      conversation.busy = false
      end_pause(conversation)
      status.update(conversation)
      rest()
      if buffer.alive(conversation.view) then
        conversation.hold:flush()
        buffer.waiting(conversation.view, nil)
        local where = buffer.has_reply(conversation.view) and 'reply' or 'message'
        buffer.note(conversation.view, where, labels.done('failed', 'the host has gone'))
        follow.redraw(conversation.bufnr)
      end
    end
    if conversation.private then
      lose(conversation)
    end
  end
end)

return M
