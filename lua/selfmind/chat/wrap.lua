-- Lines of chunks, broken at words to fit a width: Neovim cuts virtual lines off at the window's edge. Pure but for the
-- display width of a text, which depends on 'ambiwidth'.

local INDENT = '  '
local NARROWEST = 10 -- below this nothing is readable, wrapped or not

---@param row selfmind.Chunks
---@param text string
---@param group string
local function add(row, text, group)
  local last = row[#row]
  if last and last[2] == group then
    last[1] = last[1] .. text
  else
    row[#row + 1] = { text, group }
  end
end

---@param lines selfmind.Chunks[]
---@param width integer columns
---@return selfmind.Chunks[]
return function(lines, width)
  width = math.max(NARROWEST, width)
  local wrapped = {}
  for _, chunks in ipairs(lines) do
    local row, used = {}, 0
    for _, chunk in ipairs(chunks) do
      -- A piece is a word with the blanks before it.
      for blanks, word in chunk[1]:gmatch('(%s*)(%S*)') do
        local needed = vim.fn.strdisplaywidth(blanks .. word)
        if word ~= '' and used > #INDENT and used + needed > width then
          wrapped[#wrapped + 1] = row
          row, used = { { INDENT, chunk[2] } }, #INDENT
          blanks = ''
          needed = vim.fn.strdisplaywidth(word)
        end
        if blanks .. word ~= '' then
          add(row, blanks .. word, chunk[2])
          used = used + needed
        end
      end
    end
    wrapped[#wrapped + 1] = row
  end
  return wrapped
end
