-- Lines of a buffer as a part of a message: where they stand, and their text in a fence that nothing inside ends.

local M = {}

local api = vim.api
local validate = require('selfmind.validate')

---@param text string
---@return string a fence longer than any run of backticks in the text
local function fence(text)
  local longest = 2
  for run in text:gmatch('`+') do
    longest = math.max(longest, #run)
  end
  return ('`'):rep(longest + 1)
end

---@param bufnr integer
---@return string
local function name(bufnr)
  local path = api.nvim_buf_get_name(bufnr)
  if path == '' then
    return 'a buffer without a name'
  end
  -- A line end in a name would end the line that says where the text is from.
  return (vim.fn.fnamemodify(path, ':~:.'):gsub('%c', '?'))
end

---@param bufnr integer
---@param first integer line, from 1
---@param last integer line, inclusive
---@return string
function M.of(bufnr, first, last)
  validate('bufnr', bufnr, 'number')
  validate('first', first, 'number')
  validate('last', last, 'number')
  bufnr = bufnr == 0 and api.nvim_get_current_buf() or bufnr
  local text = table.concat(api.nvim_buf_get_lines(bufnr, first - 1, last, false), '\n')
  local mark = fence(text)
  local language = vim.bo[bufnr].filetype:match('^[%w_+-]+') or ''
  local where = first == last and ('line %d'):format(first) or ('lines %d to %d'):format(first, last)
  return ('From %s, %s:\n%s%s\n%s\n%s'):format(name(bufnr), where, mark, language, text, mark)
end

return M
