-- Fenced code in markdown lines, by the rules of CommonMark: a fence of three or more backticks or tildes is closed by
-- at least as many of the same and nothing behind them, and what is not closed goes to the end. Pure.

local M = {}

local INDENT_MAX = 3 -- columns that a closing fence may stand further in than the opening one; more is code

---@class selfmind.Fence
---@field indent integer columns before it, a list's marker included
---@field mark string "`" or "~"
---@field length integer
---@field language string first word behind it

---@class selfmind.Fenced places in the list of lines, from 1
---@field first integer line of the opening fence
---@field last integer line of the closing fence, or the last line of all
---@field closed boolean
---@field fence selfmind.Fence

---@param text string blanks, and a list's markers
---@return integer
local function columns(text)
  local width = 0
  for character in text:gmatch('.') do
    width = character == '\t' and width + 4 - width % 4 or width + 1
  end
  return width
end

---@param line string
---@return string before of blanks and of markers of lists that begin on this line
---@return string rest
local function unlisted(line)
  local before, rest = line:match('^(%s*)(.*)$')
  while true do
    local marker, behind = rest:match('^([-*+]%s+)(.*)$')
    if not marker then
      marker, behind = rest:match('^(%d+[.)]%s+)(.*)$')
    end
    if not marker then
      return before, rest
    end
    before, rest = before .. marker, behind
  end
end

---@param line string
---@return selfmind.Fence? that this line opens, where none is open
local function opening(line)
  if not line:find('```', 1, true) and not line:find('~~~', 1, true) then
    return nil
  end
  local before, rest = unlisted(line)
  local run, info = rest:match('^(`+)([^`]*)$') -- with a backtick behind them they are code in a sentence
  if not run then
    run, info = rest:match('^(~+)(.*)$')
  end
  if run and #run >= 3 then
    return {
      indent = columns(before),
      mark = run:sub(1, 1),
      length = #run,
      language = info:match('^%s*(%S*)'),
    }
  end
end

---@param line string
---@param fence selfmind.Fence
---@return boolean
local function closes(line, fence)
  local before, run = line:match(fence.mark == '`' and '^(%s*)(`+)%s*$' or '^(%s*)(~+)%s*$')
  return run ~= nil and #run >= fence.length and columns(before) <= fence.indent + INDENT_MAX
end

---@param lines string[] of one turn
---@param at integer which of them, from 1
---@return selfmind.Fenced? the block that this line is in, or is a fence of
function M.find(lines, at)
  local fence, first
  for number, line in ipairs(lines) do
    if not fence then
      if number > at then
        return nil
      end
      fence, first = opening(line), number
    elseif closes(line, fence) then
      if number >= at then
        return { first = first, last = number, closed = true, fence = fence }
      end
      fence = nil
    end
  end
  if fence then
    return { first = first, last = #lines, closed = false, fence = fence }
  end
end

---@param line string
---@param indent integer columns
---@return string the line without so many blanks, as far as it has them
local function outdented(line, indent)
  local blanks = 0
  while columns(line:sub(1, blanks)) < indent and line:find('^[ \t]', blanks + 1) do
    blanks = blanks + 1
  end
  return line:sub(blanks + 1)
end

---@param lines string[]
---@param block selfmind.Fenced
---@return string[] what stands between the fences, as far left as if they stood at the margin
function M.text(lines, block)
  local text = {}
  for number = block.first + 1, block.closed and block.last - 1 or block.last do
    text[#text + 1] = outdented(lines[number], block.fence.indent)
  end
  return text
end

return M
