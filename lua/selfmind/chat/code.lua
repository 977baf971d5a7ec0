-- What can be done with the code block under the cursor of a chat: yank it, insert it in the window beside the chat,
-- compare it with the buffer there.

local M = {}

local api = vim.api
local beside = require('selfmind.chat.beside')
local conversations = require('selfmind.chat.conversations')
local fences = require('selfmind.chat.fences')
local log = require('selfmind.log')
local step = require('selfmind.chat.step')
local turns = require('selfmind.chat.turns')

---@class selfmind.CodeBlock rows from 0
---@field first integer row of the opening fence
---@field last integer row of the closing fence, or of the last line
---@field closed boolean
---@field language string
---@field lines string[] between the fences

---@return selfmind.CodeBlock? under the cursor; one that is not finished goes to the end of its turn
function M.at_cursor()
  local conversation = conversations.in_buffer(api.nvim_get_current_buf())
  local row = api.nvim_win_get_cursor(0)[1] - 1
  local span = conversation and turns.at(conversation.view, row)
  if not span then
    return nil
  end
  local lines = api.nvim_buf_get_lines(conversation.bufnr, span.first, span.last + 1, false)
  local found = fences.find(lines, row - span.first + 1)
  return found
    and {
      first = span.first + found.first - 1,
      last = span.first + found.last - 1,
      closed = found.closed,
      language = found.fence.language,
      lines = fences.text(lines, found),
    }
end

---@return selfmind.CodeBlock? with something in it; else the user was told why there is none
local function wanted()
  local block = M.at_cursor()
  if not block then
    return log.warn('the cursor is in no code block of a chat: move it into one')
  end
  if #block.lines == 0 then
    return log.warn('this code block is empty')
  end
  return block
end

---@return integer? win beside the chat; else the user was told that there is none
local function target()
  local win = beside.window()
  if not win then
    log.warn('there is no other window in this tab page: open the file beside the chat')
  end
  return win
end

---@param block selfmind.CodeBlock
---@return string "3 lines of lua"
local function size(block)
  local count = #block.lines == 1 and '1 line' or #block.lines .. ' lines'
  return block.language ~= '' and ('%s of %s'):format(count, block.language) or count
end

---Puts the block into the register named before the key, else the unnamed one.
function M.yank()
  local register = vim.v.register
  local block = wanted()
  if not block then
    return
  elseif not pcall(vim.fn.setreg, register, block.lines, 'l') then
    return log.warn(('the register "%s takes no lines: name another one'):format(register))
  end
  log.info('yanked ' .. size(block))
end

---Writes the block into the window beside the chat: under its cursor's line, or in place of that line if it is blank.
function M.insert()
  local block = wanted()
  local win = block and target()
  if not block or not win then
    return
  end
  local bufnr = api.nvim_win_get_buf(win)
  local name = vim.fn.fnamemodify(api.nvim_buf_get_name(bufnr), ':t')
  name = name ~= '' and name or 'the buffer without a name'
  if not vim.bo[bufnr].modifiable then
    return log.warn(name .. ' cannot be changed: go to another window first, then come back')
  end
  local row = api.nvim_win_get_cursor(win)[1]
  local blank = api.nvim_buf_get_lines(bufnr, row - 1, row, false)[1]:find('^%s*$')
  local first = blank and row - 1 or row
  step.change(bufnr, step.new(), 'insert', function()
    api.nvim_buf_set_lines(bufnr, first, row, false, block.lines)
  end)
  api.nvim_win_set_cursor(win, { first + #block.lines, 0 })
  log.info(('inserted %s into %s'):format(size(block), name))
end

---Compares the block with the buffer in the window beside the chat.
function M.diff()
  local block = wanted()
  local win = block and target()
  if block and win then
    require('selfmind.chat.diff').open(block.lines, win)
  end
end

return M
