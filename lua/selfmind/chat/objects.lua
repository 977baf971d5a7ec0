-- Motions and text objects of a chat: its turns and its code blocks.

local M = {}

local api = vim.api
local conversations = require('selfmind.chat.conversations')
local code = require('selfmind.chat.code')
local turns = require('selfmind.chat.turns')

---@return integer row of the cursor, from 0
local function cursor_row()
  return api.nvim_win_get_cursor(0)[1] - 1
end

---@return selfmind.View?
local function view()
  local conversation = conversations.in_buffer(api.nvim_get_current_buf())
  return conversation and conversation.view
end

---Moves the cursor to a turn's header, as many turns away as the count says; behind the last one is the prompt.
---@param step 1|-1
function M.jump(step)
  local chat = view()
  local row = chat and turns.jump(chat, cursor_row(), step, vim.v.count1)
  if not row then
    return
  end
  if not api.nvim_get_mode().mode:find('^no') then
    vim.cmd("normal! m'")
  end
  api.nvim_win_set_cursor(0, { row + 1, 0 })
end

---@param inner boolean
---@return integer? first row, from 0
---@return integer? last
local function code_rows(inner)
  local block = code.at_cursor()
  if not block then
    return nil
  end
  if inner then
    return block.first + 1, block.closed and block.last - 1 or block.last
  end
  return block.first, block.last
end

---@param inner boolean
---@return integer? first
---@return integer? last
local function turn_rows(inner)
  local chat = view()
  local span = chat and turns.at(chat, cursor_row())
  if not chat or not span then
    return nil
  end
  local first, last = span.first, span.last
  if not inner then
    return span.header or first, last
  end
  local lines = api.nvim_buf_get_lines(chat.bufnr, first, last + 1, false)
  while lines[last - first + 1] and lines[last - first + 1]:find('^%s*$') do
    last = last - 1
  end
  return first, last
end

local rows_of = { code = code_rows, turn = turn_rows }

---@param what "code"|"turn"
---@param inner boolean
---@return boolean whether there is one under the cursor, with a line in it
function M.there(what, inner)
  local first, last = rows_of[what](inner)
  return first ~= nil and first <= last
end

---Selects it, whole lines.
---@param what "code"|"turn"
---@param inner boolean
function M.select(what, inner)
  local first, last = rows_of[what](inner)
  if not first or first > last then
    return
  end
  local leave = api.nvim_get_mode().mode:find('^[vV\22]') and '\27' or ''
  vim.cmd(('keepjumps normal! %s%dGV%dG'):format(leave, first + 1, last + 1))
end

return M
