-- Where the turns of a chat begin and end: for moving between them, and so that nothing that looks into one runs over
-- into the next. Reads the marks around one line and changes nothing.

local M = {}

local api = vim.api
local buffer = require('selfmind.chat.buffer')
local marks = require('selfmind.chat.marks')

---@class selfmind.Span rows from 0, both included; `last` is before `first` where there is no line
---@field header? integer row of the header; nil in the prompt
---@field first integer
---@field last integer

---@param view selfmind.View
---@return integer row of the first line that is the user's to send
local function prompt(view)
  return buffer.prompt_line(view)
end

---The turn that a line belongs to, or the prompt, to which the line over it counts.
---@param view selfmind.View
---@param row integer from 0
---@return selfmind.Span? nil at the title
function M.at(view, row)
  local first = prompt(view)
  if row >= first - 1 then
    return { first = first, last = api.nvim_buf_line_count(view.bufnr) - 1 }
  end
  local header = marks.headers(view.bufnr, row, -1, 1)[1]
  if not header then
    return nil
  end
  local following = marks.headers(view.bufnr, row + 1, 1, 1)[1] or first - 1
  return { header = header, first = header + 1, last = math.min(following, first - 1) - 1 }
end

---Where a jump leads: to the header of a turn, or into the prompt behind the last of them.
---@param view selfmind.View
---@param row integer from 0
---@param step 1|-1
---@param count integer how many turns
---@return integer? row nil where there is nothing further
function M.jump(view, row, step, count)
  local first = prompt(view)
  if step > 0 then
    local rows = row < first and marks.headers(view.bufnr, row + 1, 1, count) or {}
    if #rows < count and row < first then
      rows[#rows + 1] = math.min(first, api.nvim_buf_line_count(view.bufnr) - 1)
    end
    return rows[#rows]
  end
  if row > first then
    count = count - 1 -- to the prompt's own first line
    if count == 0 then
      return first
    end
  end
  local rows = row > 0 and marks.headers(view.bufnr, row - 1, -1, count) or {}
  return rows[#rows]
end

return M
