-- The view of one conversation in its buffer: a title line, the turns, a separator, the prompt. Text is written at the
-- end of the transcript only, each turn after an empty line that carries its header. Knows nothing of the host; called
-- by chat/init and chat/opening.

local M = {}

local api = vim.api
local follow = require('selfmind.chat.follow')
local labels = require('selfmind.chat.labels')
local marks = require('selfmind.chat.marks')
local step = require('selfmind.chat.step')

---@class selfmind.Block one turn as it is shown
---@field header selfmind.Chunks
---@field text string
---@field notes selfmind.Chunks[]
---@field turn integer the message it belongs to

---@class selfmind.View
---@field bufnr integer
---@field private? boolean
---@field prompt integer extmark on the separator line
---@field answer? selfmind.Chunks what stands there for now, beside the line over the prompt
---@field marks selfmind.Mark[]
---@field newest_state integer the newest undo state seen
---@field steps selfmind.Steps
---@field message? selfmind.Mark header of the newest message
---@field message_notes? selfmind.Notes
---@field reply? selfmind.Mark header of the reply that is being written, or was last
---@field reply_notes? selfmind.Notes

---@class selfmind.Notes the quiet lines under one turn
---@field mark? selfmind.Mark
---@field lines selfmind.Chunks[]
---@field owner? selfmind.Mark the header of that turn

---@param text string
---@return string[]
local function split(text)
  return vim.split((text:gsub('\r\n?', '\n')), '\n', { plain = true })
end

---@param view selfmind.View
---@return integer row of the separator, from 0
local function separator(view)
  return api.nvim_buf_get_extmark_by_id(view.bufnr, marks.namespace, view.prompt, {})[1] or 0
end

---@param view selfmind.View
---@return fun(): integer
local function prompt_line(view)
  return function()
    return separator(view) + 1
  end
end

---@param view selfmind.View
---@param row integer
---@param column? integer bytes; 0 but where the user has joined the prompt to the transcript
local function set_separator(view, row, column)
  view.prompt = api.nvim_buf_set_extmark(view.bufnr, marks.namespace, row, column or 0, {
    id = view.prompt,
    virt_text = view.answer or labels.prompt(view.private),
    virt_text_pos = 'eol', -- should the user type on this line, the text stays readable
    right_gravity = false,
  })
end

---@param view selfmind.View
---@param mark selfmind.Mark
---@return selfmind.Mark
local function keep(view, mark)
  view.marks[#view.marks + 1] = mark
  return mark
end

---Adds lines at the end of the transcript, the first of them to its last line.
---@param view selfmind.View
---@param lines string[]
---@return integer row of the first of the lines
local function write(view, lines)
  local row = separator(view) - 1
  if row < 0 then -- the user has emptied the buffer
    api.nvim_buf_set_lines(view.bufnr, 0, 0, false, { '' })
    set_separator(view, 1)
    row = 0
  end
  local last = api.nvim_buf_get_lines(view.bufnr, row, row + 1, false)[1]
  api.nvim_buf_set_text(view.bufnr, row, #last, row, #last, lines)
  return row
end

---@param view selfmind.View
---@param header selfmind.Chunks
---@param text string
---@param turn? integer
---@return selfmind.Mark header
local function write_block(view, header, text, turn)
  local lines = split(text)
  table.insert(lines, 1, '')
  table.insert(lines, 1, '')
  local row = write(view, lines)
  return keep(view, marks.header(view.bufnr, row + 1, header, turn))
end

---@param view selfmind.View
---@param key string
---@param edit fun()
local function change(view, key, edit)
  follow.around(view.bufnr, prompt_line(view), function()
    step.change(view.bufnr, view.steps, key, edit)
  end)
  view.newest_state = math.max(view.newest_state, marks.undo_state(view.bufnr))
end

---@param view selfmind.View
---@param text string
local function write_prompt(view, text)
  api.nvim_buf_set_lines(view.bufnr, separator(view), -1, false, { '', unpack(split(text)) })
end

---@param view selfmind.View
---@param notes selfmind.Notes
---@param lines selfmind.Chunks[]
local function show_notes(view, notes, lines)
  follow.around(view.bufnr, prompt_line(view), function()
    if notes.mark then
      marks.update(view.bufnr, notes.mark, lines)
    else
      local row = math.max(0, separator(view) - 1)
      notes.mark = keep(view, marks.under(view.bufnr, row, lines, notes.owner))
    end
  end)
end

---@param bufnr integer
---@param private? boolean
---@return selfmind.View
function M.new(bufnr, private)
  return { bufnr = bufnr, private = private, marks = {}, steps = step.new(), newest_state = 0 }
end

---@param view selfmind.View?
---@return boolean
function M.alive(view)
  return view ~= nil and api.nvim_buf_is_loaded(view.bufnr) and view.prompt ~= nil
end

---Writes the whole view; the undo history begins here.
---@param view selfmind.View
---@param title selfmind.Chunks
---@param blocks selfmind.Block[]
---@param draft string
function M.render(view, title, blocks, draft)
  local lines, headers, notes = { '' }, {}, {}
  for _, block in ipairs(blocks) do
    lines[#lines + 1] = ''
    headers[#headers + 1] = #lines - 1
    vim.list_extend(lines, split(block.text))
    notes[#notes + 1] = #lines - 1
  end
  lines[#lines + 1] = ''
  local row = #lines - 1
  vim.list_extend(lines, split(draft))
  local line = view.prompt and prompt_line(view) or function()
    return api.nvim_buf_line_count(view.bufnr) + 1
  end
  follow.around(view.bufnr, function()
    return line()
  end, function()
    api.nvim_buf_clear_namespace(view.bufnr, marks.namespace, 0, -1)
    step.without_undo(view.bufnr, view.steps, function()
      api.nvim_buf_set_lines(view.bufnr, 0, -1, false, lines)
    end)
    view.marks, view.message, view.reply, view.message_notes, view.reply_notes = {}, nil, nil, nil, nil
    set_separator(view, row)
    line = prompt_line(view)
    keep(view, marks.title(view.bufnr, 0, title))
    for i, block in ipairs(blocks) do
      keep(view, marks.header(view.bufnr, headers[i], block.header, block.turn))
      if #block.notes > 0 then
        keep(view, marks.under(view.bufnr, notes[i], block.notes))
      end
    end
    for _, mark in ipairs(view.marks) do
      mark.lasting = true
    end
  end, true)
end

---Makes the last block of a fresh render the one that further text and notes go to.
---@param view selfmind.View
---@param block selfmind.Block
---@param is_reply boolean
function M.resume(view, block, is_reply)
  local under, header = nil, nil
  for _, mark in ipairs(view.marks) do
    if mark.header then
      header, under = mark, nil
    else
      under = mark
    end
  end
  local notes = { mark = under, lines = vim.deepcopy(block.notes) }
  if is_reply then
    view.reply, view.reply_notes = header, notes
  else
    view.message, view.message_notes = header, notes
  end
end

---@param view selfmind.View
---@return string what the user has typed and not sent
function M.prompt_text(view)
  -- From the mark itself: who deletes backwards out of the prompt joins it to the transcript, and what stands before
  -- the mark then is not theirs to send.
  local at = api.nvim_buf_get_extmark_by_id(view.bufnr, marks.namespace, view.prompt, {})
  local lines = api.nvim_buf_get_text(view.bufnr, at[1], at[2], -1, -1, {})
  return (table.concat(lines, '\n'):gsub('^%s*\n', ''):gsub('%s+$', ''))
end

---@param view selfmind.View
---@param row integer from 0
---@param column integer bytes
---@return boolean whether text before this place belongs to the transcript
function M.at_prompt_start(view, row, column)
  return column == 0 and row <= separator(view) + 1
end

---Gives the prompt its own line again, after the user has deleted the line break before it.
---@param view selfmind.View
local function part(view)
  local at = api.nvim_buf_get_extmark_by_id(view.bufnr, marks.namespace, view.prompt, {})
  if at[2] > 0 then
    api.nvim_buf_set_text(view.bufnr, at[1], at[2], at[1], at[2], { '', '' })
    set_separator(view, at[1] + 1)
  end
end

---A line over the prompt, until the next message, or nil.
---@param view selfmind.View
---@param line selfmind.Chunks?
function M.answer(view, line)
  view.answer = line
  local at = api.nvim_buf_get_extmark_by_id(view.bufnr, marks.namespace, view.prompt, {})
  set_separator(view, at[1], at[2])
end

---Replaces the prompt's text, as a step of its own.
---@param view selfmind.View
---@param text string
function M.set_prompt(view, text)
  M.answer(view, nil)
  change(view, 'prompt', function()
    part(view)
    write_prompt(view, text)
  end)
end

---Moves a message from the prompt to the end of the transcript: one undo step.
---@param view selfmind.View
---@param header selfmind.Chunks
---@param text string
function M.send(view, header, text)
  M.answer(view, nil)
  change(view, 'send', function()
    part(view)
    view.message = write_block(view, header, text)
    write_prompt(view, '')
  end)
  view.message_notes = { lines = {}, owner = view.message }
  view.reply = nil
end

---The newest message is asked again: what was said about the last try goes, and further notes come at the end.
---@param view selfmind.View
function M.ask_again(view)
  if view.message_notes and not view.reply then
    view.message_notes.lines = {}
    show_notes(view, view.message_notes, {})
  else
    view.message_notes = { lines = {} }
  end
  view.reply = nil
end

---Takes back a message that was not accepted: out of the transcript, into the prompt before what was typed since.
---@param view selfmind.View
---@param text string
function M.unsend(view, text)
  local row = view.message and marks.row(view.bufnr, view.message)
  if not row then
    return -- the user has undone it already
  end
  local since = M.prompt_text(view)
  change(view, 'unsend', function()
    api.nvim_buf_set_lines(view.bufnr, row, separator(view), false, {})
    write_prompt(view, since == '' and text or text .. '\n' .. since)
  end)
  view.message, view.message_notes = nil, nil
end

---@param view selfmind.View
---@return boolean whether the newest message has a reply, or a part of one
function M.has_reply(view)
  return view.reply ~= nil
end

---Text of the reply. Its header is written with its first text, and again when an undo has taken it away.
---@param view selfmind.View
---@param header selfmind.Chunks
---@param text string
---@param turn integer
function M.append(view, header, text, turn)
  change(view, 'reply ' .. turn, function()
    if view.reply and marks.row(view.bufnr, view.reply) then
      write(view, split(text))
    else
      view.reply = write_block(view, header, text, turn)
      view.reply_notes = { lines = {}, owner = view.reply }
    end
  end)
end

---@param view selfmind.View
---@param header selfmind.Chunks
function M.reply_header(view, header)
  if view.reply then
    marks.update(view.bufnr, view.reply, header)
  end
end

---A quiet line under the newest message or the newest reply. Without a line the place is kept for later ones.
---@param view selfmind.View
---@param where "message"|"reply"
---@param line selfmind.Chunks?
function M.note(view, where, line)
  local field = where == 'reply' and 'reply_notes' or 'message_notes'
  local notes = view[field] or { lines = {} }
  view[field] = notes
  notes.lines[#notes.lines + 1] = line
  show_notes(view, notes, notes.lines)
end

---A line that stands where the reply will be, until the reply or nil comes.
---@param view selfmind.View
---@param line selfmind.Chunks?
function M.waiting(view, line)
  local notes = view.message_notes
  if not notes then
    return
  end
  local lines = vim.list_extend({}, notes.lines)
  lines[#lines + 1] = line
  show_notes(view, notes, lines)
end

---@param view selfmind.View
---@param turn integer
function M.name_message(view, turn)
  if view.message then
    view.message.turn = turn
  end
end

---@param view selfmind.View
---@param row integer from 0
---@return integer? turn the message that the line belongs to
function M.turn_at(view, row)
  local found, found_row
  for _, mark in ipairs(view.marks) do
    local at = mark.header and mark.turn and marks.row(view.bufnr, mark)
    if at and at <= row and (not found_row or at > found_row) then
      found, found_row = mark.turn, at
    end
  end
  return found
end

---@param view selfmind.View
---@param turn integer a message
---@return integer? row of its first line, from 0; nil where it is not in view
function M.row_of(view, turn)
  for _, mark in ipairs(view.marks) do
    if mark.header and mark.turn == turn then
      local at = marks.row(view.bufnr, mark)
      return at and at + 1
    end
  end
end

---For TextChanged: the headers of lines that a redo has brought back. A state never seen before is no redo.
---@param view selfmind.View
function M.mend(view)
  local state = marks.undo_state(view.bufnr)
  if state > view.newest_state then
    view.newest_state = state
  else
    marks.mend(view.bufnr, view.marks, separator(view))
  end
end

---For a window of another width.
---@param view selfmind.View
function M.rewrap(view)
  follow.around(view.bufnr, prompt_line(view), function()
    marks.rewrap(view.bufnr, view.marks)
  end)
end

---For CursorMoved and WinScrolled.
---@param view selfmind.View
---@return integer line from 1
function M.prompt_line(view)
  return prompt_line(view)()
end

return M
