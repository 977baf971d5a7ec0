-- The commands: what they send, what they answer, how they complete.

local Child = require('support.child')
local complete = require('selfmind.complete')

describe('completion of ids', function()
  local memories = {
    { id = 7, text = 'The user prefers tabs over spaces.' },
    { id = 12, text = 'The user has 3 cats.' },
    { id = 120, text = ('Ä lange Zeile '):rep(20) },
  }

  it('shows the text behind the id', function()
    assert.same({ '7 # The user prefers tabs over spaces.' }, complete.ids(memories, '7'))
  end)

  it('takes digits for an id and anything else for words of the text', function()
    assert.equals(2, #complete.ids(memories, '12'))
    assert.same({ '12 # The user has 3 cats.' }, complete.ids(memories, 'CATS'))
    assert.equals(1, #complete.ids(memories, 'ä'))
    assert.same({}, complete.ids(memories, 'plum'))
    assert.equals(3, #complete.ids(memories, ''))
  end)

  it('cuts long texts at a character', function()
    local candidate = complete.ids(memories, '120')[1]
    assert.is_true(vim.fn.strchars(candidate) < 85)
    assert.equals('…', candidate:sub(-3))
  end)
end)

describe('the commands', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  local function completions(line)
    return child:lua('return vim.fn.getcompletion(..., "cmdline")', line)
  end

  it('remember a text, lines, a selection', function()
    child:cmd('Remember I like plums')
    child:wait_message('selfmind: remembered 13: I like plums')
    child:cmd('Remember I like tabs')
    child:wait_message('selfmind: already known as 7: The user prefers tabs over spaces.')
    child:cmd('Remember! I like tabs')
    child:wait_message('selfmind: remembered 13: I like tabs')
    child:cmd('Remember --global plums everywhere')
    child:lua('vim.api.nvim_buf_set_lines(0, 0, -1, false, { "one", "two", "three" })')
    child:cmd('2,3Remember')
    child:cmd('1SelfMind remember the first:')
    child:lua('vim.keymap.set("x", "R", "<Plug>(selfmind-remember)")')
    child:type('ggVjR')
    local sent = vim.tbl_map(function(call)
      return call.params
    end, child:seen('memory.remember'))
    local folder = child:lua('return vim.fn.getcwd()')
    assert.same({
      { folder = folder, text = 'I like plums' },
      { folder = folder, text = 'I like tabs' },
      { folder = folder, text = 'I like tabs', force = true },
      { folder = folder, text = 'plums everywhere', global = true },
      { folder = folder, text = 'two\nthree' },
      { folder = folder, text = 'the first:\none' },
      { folder = folder, text = 'one\ntwo' },
    }, sent)
  end)

  it('forget after showing the text and asking', function()
    child:lua('_G.answer = 2 vim.fn.confirm = function(text) _G.question = text return _G.answer end')
    child:cmd('Forget 7 12')
    local question = child:wait('the question', 'return _G.question')
    assert.equals('Forget for good?\n7  The user prefers tabs over spaces.\n12  The user has 3 cats.', question)
    assert.equals(1, #child:seen('memory.forget'))
    child:lua('_G.answer = 1')
    child:cmd('Forget 12 # The user has 3 cats.')
    child:wait_message('selfmind: forgot 12: The user has 3 cats.')
    assert.same({ ids = { 12 } }, child:seen('memory.forget')[3].params)
  end)

  it('forget without asking, and take the words out of the command history', function()
    child:type(':echo "The user has 3 cats."<CR>:echo 1<CR>')
    child:type(':Forget! 12<CR>')
    child:wait_message('forgot 12')
    assert.same({ ids = { 12 } }, child:seen('memory.forget')[1].params)
    assert.same({ 'Forget! 12', 'echo 1', '' }, child:lua(
      'return { vim.fn.histget("cmd", -1), vim.fn.histget("cmd", -2), vim.fn.histget("cmd", -3) }'
    ))
  end)

  it('forget a short text without touching other commands', function()
    child:type(':Remember tab<CR>:echo "a tab stop"<CR>')
    child:lua([[require('selfmind.host').notify = function(_, _, done)
      done(nil, { memories = { { id = 5, text = 'tab' } }, turns_cut = 0, remains = false, remaining = {} })
    end]])
    child:type(':Forget! 5<CR>')
    child:wait_message('forgot 5')
    assert.same({ 'Forget! 5', 'echo "a tab stop"', '' }, child:lua(
      'return { vim.fn.histget("cmd", -1), vim.fn.histget("cmd", -2), vim.fn.histget("cmd", -3) }'
    ))
  end)

  it('forget nothing when an id is unknown or a word is none', function()
    child:cmd('Forget! 7 99')
    child:wait_message('there is no memory 99')
    child:cmd('Forget! 7 cats')
    child:wait_message('cats is no id')
    assert.equals(1, #child:seen('memory.forget'))
  end)

  it('forget through the picker, by words', function()
    child:lua([[
      vim.fn.confirm = function() return 1 end
      vim.ui.select = function(items, opts, chosen)
        _G.items = vim.tbl_map(opts.format_item, items)
        chosen(items[1])
      end
    ]])
    child:cmd('Forget cats')
    child:wait_message('forgot 12')
    assert.same({ '12  The user has 3 cats.' }, child:lua('return _G.items'))
    child:cmd('Forget')
    child:wait_message('forgot 7')
  end)

  it('complete subcommands, and ids without waiting for the host', function()
    assert.same({ 'recall', 'record', 'remember', 'restart', 'retry', 'review' }, completions('SelfMind re'))
    local file = vim.fn.tempname() .. '.jsonl'
    vim.fn.writefile({}, file)
    assert.same({ file }, completions('SelfMind record ' .. file:sub(1, -4)))
    assert.same({}, completions('Forget '))
    child:wait('the list', 'return #vim.fn.getcompletion("Forget ", "cmdline") == 3')
    assert.same({ '12 # The user has 3 cats.' }, completions('Forget cat'))
    assert.same({ '12 # The user has 3 cats.' }, completions('SelfMind forget cat'))
    assert.same({ '--global' }, completions('Remember --'))
    child:cmd('Forget! 12')
    child:wait_message('forgot 12')
    child:emit('memories/changed', vim.empty_dict())
    child:settle()
    assert.same({}, completions('Forget cat'))
  end)

  it('complete silently when there is no host', function()
    child:lua("require('selfmind').setup({ host = { cmd = '/nowhere/host' } })")
    assert.same({}, completions('Forget '))
    assert.same({}, child:messages())
  end)

  it('show statistics, recalled memories and the log', function()
    child:cmd('SelfMind stats')
    child:wait('statistics', "return (vim.fn.getline(2)):find('^memories.active +3$')")
    child:type('q')
    child:cmd('SelfMind recall which indentation')
    child:wait('hits', 'return (vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] or ""):find("2.50")')
    assert.equals('which indentation', child:seen('memory.recall')[1].params.query)
    child:type('<Esc>')
    child:cmd('SelfMind log')
    assert.equals('nothing yet', child:lua('return vim.api.nvim_get_current_line()'))
    child:type('q')
    child:cmd('SelfMind dance')
    child:wait_message('unknown subcommand dance: there are archive, ask, asof, chat, chats')
  end)

  it('list the memories, with keys to look and to forget', function()
    child:lua('vim.fn.confirm = function() return 1 end')
    child:cmd('Memories')
    child:wait('the list', "return vim.bo.filetype == 'selfmind-memories'")
    assert.same({
      '# This project',
      '## preference',
      '    7  The user prefers tabs over spaces.',
      '## fact',
      '  120  Die Nutzerin heißt Zoë und mag Grüntee 🍵.',
      '',
      '# Everywhere',
      '## fact',
      '   12  The user has 3 cats.',
      '',
    }, child:lines())
    child:cmd('edit')
    child:wait('the list again', 'return vim.api.nvim_buf_line_count(0) == 10')
    child:type('G<CR>') -- no memory there
    child:type('k<CR>')
    child:wait('details', 'return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == "The user has 3 cats."')
    child:type('qdd')
    child:wait_message('forgot 12')
    child:settle()
    assert.is_nil(table.concat(child:lines()):find('cats'))
    child:cmd('Memories')
    child:settle()
    child:type('q')
    assert.equals(1, child:lua('return #vim.api.nvim_list_wins()'))
  end)

  it('pick a memory and copy it', function()
    child:lua([[
      _G.picks = { 1, 2 }
      vim.ui.select = function(items, _, chosen) chosen(items[table.remove(_G.picks, 1)]) end
    ]])
    child:cmd('SelfMind pick cats')
    child:wait('the copy', "return vim.fn.getreg('\"') == 'The user has 3 cats.'")
  end)

  it('leave commands of others alone, and map no global key', function()
    child:lua([[
      vim.g.loaded_selfmind = nil
      vim.api.nvim_create_user_command('Remember', 'echo 1', { desc = 'somebody else' })
      vim.cmd('runtime plugin/selfmind.lua')
    ]])
    assert.equals('\n1', child:lua([[return vim.fn.execute('Remember')]]))
    assert.same({}, child:lua([[
      local mine = {}
      for _, mode in ipairs({ 'n', 'i', 'x', 'o', 'c', 't' }) do
        for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
          if (map.desc or ''):find('selfmind') and not map.lhs:find('^<Plug>') then table.insert(mine, map.lhs) end
        end
      end
      return mine
    ]]))
  end)

  it('say in one quiet line what upkeep has archived', function()
    child:lua("require('selfmind.host').notify('memory.list', { folder = '/' })")
    local one = { id = 7, text = 'The user is in Lyon until Friday.' }
    child:emit('upkeep/done', { archived = { one }, why = 'ended' })
    child:wait_message('1 memory has ended and is archived; :SelfMind undo brings it back')
    child:emit('upkeep/done', { archived = { one, one, one }, why = 'ended' })
    child:wait_message('3 memories have ended and are archived; :SelfMind undo brings them back')
    child:emit('upkeep/done', { archived = { one, one }, why = 'unused' })
    child:wait_message('2 memories have not been needed for half a year and are archived')
  end)

  it('are defined in less than a millisecond', function()
    local best = math.huge
    for _ = 1, 20 do
      best = math.min(best, child:lua([[
        vim.g.loaded_selfmind = nil
        for _, name in ipairs({ 'SelfMind', 'Remember', 'Forget', 'Memories' }) do
          pcall(vim.api.nvim_del_user_command, name)
        end
        local began = vim.uv.hrtime()
        vim.cmd('runtime plugin/selfmind.lua')
        return (vim.uv.hrtime() - began) / 1e6
      ]]))
    end
    assert.is_true(best < 1, best .. ' ms')
  end)

  it('check the health', function()
    child:cmd('checkhealth selfmind')
    local report = child:wait('the report', [[
      local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
      return text:find('fake.db', 1, true) and text
    ]])
    assert.truthy(report:find('version 0.1.0, protocol 1', 1, true))
    assert.truthy(report:find('--db /tmp/fake.db', 1, true))
    assert.truthy(report:find("doctor --db '/tmp/fake.db'", 1, true))
    assert.truthy(report:find('no API key is set', 1, true))
    assert.is_nil(report:find('ERROR', 1, true))
  end)

  it('show in the health report every setting and where it comes from, and no password', function()
    child:lua([[
      vim.g.selfmind = vim.tbl_extend('force', vim.g.selfmind, { top_k = 3, learning = 'off', memory_model = 'small' })
      require('selfmind').setup({ api_key = function() return 'sk-hidden' end })
    ]])
    child:chat()
    child:lua("require('selfmind').setup({ window = { width = 50, position = 'top' }, top_k = 9 })")
    child:cmd('checkhealth selfmind')
    local report = child:wait('the report', [[
      local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
      return text:find('fake.db', 1, true) and text
    ]])
    for _, line in ipairs({
      'top_k = 3 (setup())',
      'base_url = "https://gateway.example.org" (environment, ANTHROPIC_BASE_URL)',
      'chat_model = "claude-opus-4-8" (default)',
      'window.position = "top" (setup())',
      'window.height = 0.4 (default)',
      'host.cmd = { "',
      'api_key: not set (default)',
      'window.width has no effect: window.position is "top"',
      'memory_model has no effect: learning is "off"',
      'the settings have changed since the host was started',
      'HTTPS_PROXY = http://proxy:3128',
      'SSL_CERT_FILE = /nowhere/ca.pem cannot be read',
    }) do
      assert.truthy(report:find(line, 1, true), line .. ' is not in ' .. report)
    end
    assert.is_nil(report:find('hidden', 1, true))
    assert.same({}, child:messages())
  end)

  it('say once, and in the health report, which setting the preset cannot use, and what it lacks', function()
    child:lua([[
      vim.g.selfmind = vim.tbl_extend('force', vim.g.selfmind, { retrieval = { vector_weight = 0.5 } })
      require('selfmind').setup()
    ]])
    child:chat()
    local sentence = 'retrieval.vector_weight has no effect: it is the test'
    assert.same({ 'selfmind: ' .. sentence }, child:messages())
    child:cmd('checkhealth selfmind')
    local report = child:wait('the report', [[
      local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
      return text:find('fake.db', 1, true) and text
    ]])
    for _, line in ipairs({
      sentence,
      'retrieval.vector_weight = 0.5 (vim.g.selfmind)',
      'retrieval.preset = "default" (default)',
      'retrieval.mmr.lambda = not set (default)',
      'The preset of the test lacks a test.',
    }) do
      assert.truthy(report:find(line, 1, true), line .. ' is not in ' .. report)
    end
    assert.same({ 'selfmind: ' .. sentence }, child:messages())
  end)

  it('say of where the key comes from, never the key', function()
    child:stop()
    child = Child.start({ env = { FAKE_KEY = 'ANTHROPIC_API_KEY' }, settings = { base_url = 'http://me:tiger@x' } })
    child:cmd('checkhealth selfmind')
    local report = table.concat(child:lines(), '\n')
    assert.truthy(report:find('a key is set: ANTHROPIC_API_KEY', 1, true), report)
    assert.is_nil(report:find('tiger', 1, true))
  end)

  it('say in the health report what is wrong', function()
    child:lua("require('selfmind').setup({ host = { cmd = '/nowhere/host' }, tpo_k = 3 })")
    child:cmd('checkhealth selfmind')
    local report = table.concat(child:lines(), '\n')
    assert.truthy(report:find('host.cmd names /nowhere/host', 1, true))
    assert.truthy(report:find('unknown setting tpo_k, did you mean top_k?', 1, true))
  end)
end)
