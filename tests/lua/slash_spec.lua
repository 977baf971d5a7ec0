local parse = require('selfmind.chat.slash').parse

describe('slash lines', function()
  it('are the four exact words', function()
    assert.same({ name = 'remember', args = 'I like plums', rest = '' }, parse('/remember I like plums'))
    assert.same({ name = 'remember', args = '', rest = '' }, parse('/remember'))
    assert.same({ name = 'forget', args = '12 13', rest = '' }, parse('/forget  12 13 '))
    assert.same({ name = 'memories', args = '', rest = '' }, parse('/memories '))
    assert.same({ name = 'stats', args = '', rest = 'and\nthis' }, parse('/stats\nand\nthis'))
  end)

  for _, text in ipairs({
    '/etc/hosts',
    '/remembering is hard',
    '/stats of the league?',
    '/help',
    'a /remember b',
    ' /stats',
    '/',
    'text\n/stats',
    '/Remember x',
  }) do
    it('are not: ' .. text, function()
      assert.is_nil(parse(text))
    end)
  end
end)
