-- Which lines are a code block.

local fences = require('selfmind.chat.fences')

---@param text string the cursor is in the line that ends with " <-"
---@return string[]? lines between the fences
---@return selfmind.Fenced?
local function at(text)
  local lines, cursor = vim.split(text, '\n'), nil
  for number, line in ipairs(lines) do
    if vim.endswith(line, ' <-') then
      lines[number], cursor = line:sub(1, -4), number
    end
  end
  local block = fences.find(lines, cursor)
  return block and fences.text(lines, block), block
end

describe('a code block', function()
  for name, case in pairs({
    ['is found from a line in it'] = { 'a\n```lua\nx = 1 <-\ny = 2\n```\nb', { 'x = 1', 'y = 2' } },
    ['is found from its opening fence'] = { '```lua <-\nx\n```', { 'x' } },
    ['is found from its closing fence'] = { '```lua\nx\n``` <-', { 'x' } },
    ['is not what stands before it'] = { 'a <-\n```\nx\n```' },
    ['is not what stands behind it'] = { '```\nx\n```\na <-\n```\ny\n```' },
    ['is the second of two'] = { '```\nx\n```\n```\ny <-\n```', { 'y' } },
    ['may be empty'] = { '```\n``` <-', {} },
    ['with a longer fence holds shorter ones'] = {
      '````markdown\n```lua\nx <-\n```\ny\n````',
      { '```lua', 'x', '```', 'y' },
    },
    ['with a longer fence is closed by one that is longer still'] = { '````\nx <-\n`````\ny', { 'x' } },
    ['is not closed by a fence with something behind it'] = { '```\n```lua\nx <-\n```', { '```lua', 'x' } },
    ['of tildes holds backticks'] = { '~~~ sh `x` ~~~\n```\nx <-\n```\n~~~', { '```', 'x', '```' } },
    ['of backticks holds tildes'] = { '```\n~~~\nx <-\n```', { '~~~', 'x' } },
    ['is no code in a sentence'] = { '```x``` and\nb <-' },
    ['is no pair of backticks'] = { '``\nx <-\n``' },
    ['may be indented, and its text is not'] = { '  ```\n  x <-\n    y\n z\n  ```', { 'x', '  y', 'z' } },
    ['may be indented by tabs'] = { '\t```\n\tx <-\n\t\ty\n\t```', { 'x', '\ty' } },
    ['in a list begins behind the marker'] = { '1. - ```lua\n     x <-\n     ```\nb', { 'x' } },
    ['is not closed by a fence that stands further in'] = { '```\n    ```\nx <-\n```', { '    ```', 'x' } },
    ['is closed by a fence a little further in'] = { '```\nx\n   ```\na <-' },
    ['may be closed with blanks behind the fence'] = { '```\nx\n``` \t\na <-' },
    ['that is not finished goes to the end'] = { 'a\n```lua\nx <-\n``', { 'x', '``' } },
    ['has just begun'] = { 'a\n```lua <-', {} },
  }) do
    it(name, function()
      assert.same(case[2], (at(case[1])))
    end)
  end

  it('has a language, and knows whether it is closed', function()
    local _, block = at('```lua title=x\nx <-\n```')
    assert.same({ 'lua', true }, { block.fence.language, block.closed })
    _, block = at('~~~\nx <-')
    assert.same({ '', false }, { block.fence.language, block.closed })
  end)
end)
