-- Texts as one line: of a list, or of a message.

local M = {}

---@param text string
---@return string on one line
function M.flat(text)
  return vim.trim((text:gsub('%s+', ' ')))
end

---@param line string
---@param room integer columns
---@return string the line, or its beginning and "…"
function M.cut(line, room)
  if vim.fn.strdisplaywidth(line) <= room then
    return line
  end
  local kept = vim.fn.strcharpart(line, 0, room - 1)
  while vim.fn.strdisplaywidth(kept) >= room do -- wide characters
    kept = vim.fn.strcharpart(kept, 0, vim.fn.strchars(kept) - 1)
  end
  return kept .. '…'
end

---@param line string
---@return string cut so that it asks for no <CR> as a message
function M.fitting(line)
  return M.cut(line, vim.v.echospace - #'selfmind: ')
end

return M
