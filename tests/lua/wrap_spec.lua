local wrap = require('selfmind.chat.wrap')

local function texts(lines)
  return vim.tbl_map(function(row)
    return table.concat(vim.tbl_map(function(chunk)
      return chunk[1]
    end, row))
  end, lines)
end

describe('a quiet line', function()
  it('that fits stays as it is', function()
    local lines = { { { '  short', 'A' }, { ' line', 'B' } } }
    assert.same(lines, wrap(lines, 12))
  end)

  it('that is too long goes on below, indented, with its colours', function()
    assert.same({
      { { '  one', 'A' }, { ' two', 'B' } },
      { { '  three', 'B' } },
    }, wrap({ { { '  one', 'A' }, { ' two three', 'B' } } }, 10))
  end)

  it('is never wider than its window where words allow it', function()
    for width = 10, 40 do
      for _, text in ipairs(texts(wrap({ { { '  das Wort, 日本語 und noch eins, das passt', 'A' } } }, width))) do
        assert.is_true(vim.fn.strdisplaywidth(text) <= width, width .. ': ' .. text)
      end
    end
  end)

  it('keeps every word of it', function()
    local text = '  a quite long line with seven or eight words'
    local joined = table.concat(texts(wrap({ { { text, 'A' } } }, 14)), '')
    assert.equals(vim.trim(text), vim.trim((joined:gsub('%s+', ' '))))
  end)
end)
