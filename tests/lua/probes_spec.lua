-- Probes in the editor: what the commands send, what is shown.

local Child = require('support.child')
local probes = require('selfmind.memories.probes')

describe('the words of probe add', function()
  it('are ids in front, and a question', function()
    local expect, query = probes.parse('12, 15 turn:7 which port has staging 3?')
    assert.same({
      { source = 'memory', id = 12 },
      { source = 'memory', id = 15 },
      { source = 'turn', id = 7 },
    }, expect)
    assert.equals('which port has staging 3?', query)
  end)

  it('may be the question alone, or ids alone', function()
    local expect, query = probes.parse(' turn: 3 or left?')
    assert.same({}, expect)
    assert.equals('turn: 3 or left?', query)
    expect, query = probes.parse('12')
    assert.equals(1, #expect)
    assert.equals('', query)
    assert.equals('', select(2, probes.parse('')))
    assert.equals('12th of May?', select(2, probes.parse('12th of May?')))
  end)
end)

describe('the lines of a run', function()
  local function expected(id, place, state)
    return { source = 'memory', id = id, text = 'memory\n' .. id, state = state or 'active', place = place }
  end

  it('say where what is expected came, and what came instead', function()
    local first = { source = 'turn', id = 4, text = 'what was said', score = 1 }
    assert.same({
      '    1  2, 5         both?',
      '    2  1, missed    one of them?',
      '       expected        13  memory 13',
      '       came first    said  what was said',
      '    3  nothing      pizza?',
      '    4  something    pasta?',
      '       came first    said  what was said',
      '    5  superseded   which port?',
      '       superseded      14  memory 14',
      '',
      '4 asked · 75 % in the first 3 · 100 % in the first 6 · MRR 0.75',
      'of those that should find nothing, 50 % found nothing',
      '1 not asked: what they should find is not recalled any more',
    }, probes.lines({
      probes = {
        { id = 1, query = 'both?', expect = { expected(11, 2), expected(12, 5) }, first = first, counted = true },
        { id = 2, query = 'one of\nthem?', expect = { expected(12, 1), expected(13) }, first = first, counted = true },
        { id = 3, query = 'pizza?', expect = {}, counted = true },
        { id = 4, query = 'pasta?', expect = {}, first = first, counted = true },
        { id = 5, query = 'which port?', expect = { expected(14, nil, 'superseded') }, counted = false },
      },
      n = 4,
      recall = { ['3'] = 0.75, ['6'] = 1 },
      any = {},
      mrr = 0.75,
      none = 0.5,
    }))
  end)
end)

describe('probes', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  local function sent()
    return vim.tbl_map(function(call)
      call.params.folder = nil
      return call.params
    end, child:seen('probe.add'))
  end

  it('are added with what they should find, or nothing', function()
    child:cmd('SelfMind probe add 7 12 which indentation?')
    child:wait_message('selfmind: probe 3 should find 7, 12: which indentation?')
    child:cmd('SelfMind probe add turn:5 what was that?')
    child:wait_message('probe 3 should find turn 5: what was that?')
    child:cmd('SelfMind probe add --nothing best pizza?')
    child:wait_message('probe 3 should find nothing: best pizza?')
    assert.same({
      { query = 'which indentation?', memories = { 7, 12 } },
      { query = 'what was that?', turns = { 5 } },
      { query = 'best pizza?' },
    }, sent())
  end)

  it('are not added without a question, or for an unknown memory', function()
    child:cmd('SelfMind probe add')
    child:cmd('SelfMind probe add 7')
    child:cmd('SelfMind probe add --nothing')
    child:settle()
    local told = child:messages()
    assert.equals(3, #told)
    for _, message in ipairs(told) do
      assert.truthy(message:find('give what it should find and the question', 1, true), message)
    end
    child:cmd('SelfMind probe add 99 which one?')
    child:wait_message('there is no memory 99')
    assert.equals(1, #child:seen('probe.add'))
  end)

  it('without ids ask what they should find', function()
    child:lua([[
      vim.ui.select = function(items, opts, chosen)
        _G.prompt, _G.items = opts.prompt, vim.tbl_map(opts.format_item, items)
        chosen(items[2])
      end
    ]])
    child:cmd('SelfMind probe add how many cats?')
    child:wait_message('should find 12: how many cats?')
    assert.equals('What should "how many cats?" find?', child:lua('return _G.prompt'))
    assert.equals(3, child:lua('return #_G.items'))
  end)

  it('are made of a question that was asked, with a key on what it should have found', function()
    child:cmd('SelfMind recall which indentation')
    child:wait('hits', 'return (vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] or ""):find("2.50")')
    assert.truthy(child:lua('return vim.inspect(vim.api.nvim_win_get_config(0).footer)'):find('p: ', 1, true))
    child:type('p')
    child:wait_message('should find 7: which indentation')
    assert.same({ { query = 'which indentation', memories = { 7 } } }, sent())
  end)

  it('are asked, and how it went is shown', function()
    child:cmd('SelfMind probe')
    child:wait_message('there are no probes here: :SelfMind probe add')
    child:host('test.answer', {
      method = 'probe.run',
      result = {
        probes = {
          {
            id = 3,
            query = 'which indentation?',
            scope = 'project',
            expect = { { source = 'memory', id = 7, text = 'tabs', state = 'active', place = 1 } },
            first = { source = 'memory', id = 7, text = 'tabs', score = 1 },
            counted = true,
          },
        },
        n = 1,
        recall = { ['3'] = 1, ['6'] = 1, ['10'] = 1 },
        any = { ['3'] = 1, ['6'] = 1, ['10'] = 1 },
        mrr = 1,
        none = vim.NIL,
      },
    })
    child:cmd('SelfMind probe run')
    child:wait('the result', [[return vim.api.nvim_win_get_config(0).relative == 'editor' ]])
    assert.same({
      '    3  1            which indentation?',
      '',
      '1 asked · 100 % in the first 3 · 100 % in the first 6 · 100 % in the first 10 · MRR 1.00',
    }, child:lines())
  end)

  it('are removed by number', function()
    child:cmd('SelfMind probe remove')
    child:wait_message('give the number of a probe')
    child:cmd('SelfMind probe remove 3')
    child:wait_message('probe 3 is gone')
    assert.same({ id = 3 }, child:seen('probe.remove')[1].params)
    child:cmd('SelfMind probe dance')
    child:wait_message('unknown: probe dance; there are add, remove, run')
  end)

  it('complete what can be done, and ids until the question begins', function()
    local function completions(line)
      return child:lua('return vim.fn.getcompletion(..., "cmdline")', line)
    end
    assert.same({ 'probe' }, completions('SelfMind pro'))
    assert.same({ 'add', 'remove', 'run' }, completions('SelfMind probe '))
    assert.same({ 'remove', 'run' }, completions('SelfMind probe r'))
    assert.same({ '--nothing' }, completions('SelfMind probe add -'))
    child:wait('the list', 'return #vim.fn.getcompletion("SelfMind probe add cat", "cmdline") == 1')
    assert.same({ '12' }, completions('SelfMind probe add cat'))
    assert.same({ '12', '120' }, completions('SelfMind probe add 7 12'))
    assert.same({}, completions('SelfMind probe add 7 how many cat'))
    assert.same({}, completions('SelfMind probe run cat'))
  end)

  it('are named where forgetting would take them along', function()
    child:lua('vim.fn.confirm = function(text) _G.question = text return 2 end')
    child:host('test.answer', {
      method = 'memory.forget',
      result = {
        memories = { { id = 7, text = 'The user prefers tabs over spaces.' } },
        turns_cut = 0,
        probes_gone = 1,
        probes_cut = 2,
        remains = false,
      },
    })
    child:cmd('Forget 7')
    local question = child:wait('the question', 'return _G.question')
    assert.equals(
      'Forget for good?\n7  The user prefers tabs over spaces.\nand 1 probe that asks for nothing else',
      question
    )
  end)
end)
