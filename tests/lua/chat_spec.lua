-- The conversation in its buffer: opening, sending, showing, closing.

local Child = require('support.child')

describe('the chat', function()
  local child

  before_each(function()
    child = Child.start()
  end)

  after_each(function()
    child:stop()
  end)

  local function emit(name, payload)
    child:emit(name, vim.tbl_extend('force', { chat = 1, turn = 101 }, payload))
  end

  local function body()
    return table.concat(child:lines(), '|')
  end

  local function calls(method)
    return child:seen(method)
  end

  it('opens a plain buffer that never asks to be written', function()
    child:chat()
    assert.same({
      name = 'selfmind://chat/00000000-0000-7000-8000-000000000001',
      buftype = 'nofile',
      bufhidden = 'hide',
      swapfile = false,
      undofile = false,
      syntax = 'markdown',
      wrap = true,
      linebreak = true,
      treesitter = false,
    }, child:lua([[
      local bufnr = vim.api.nvim_get_current_buf()
      return {
        name = vim.api.nvim_buf_get_name(0), buftype = vim.bo.buftype, bufhidden = vim.bo.bufhidden,
        swapfile = vim.bo.swapfile, undofile = vim.bo.undofile, syntax = vim.bo.syntax,
        wrap = vim.wo.wrap, linebreak = vim.wo.linebreak,
        treesitter = vim.treesitter.highlighter.active[bufnr] ~= nil,
      }
    ]]))
    child:type('iunsent<Esc>')
    child:cmd('quit')
    assert.equals(1, child:lua('return #vim.api.nvim_list_wins()'))
  end)

  it('sends from normal and from insert mode, and clears the prompt', function()
    child:chat()
    child:send('first')
    emit('turn/done', { state = 'done' })
    child:type('isecond<CR>line<C-s>')
    child:settle()
    assert.equals('i', child:lua('return vim.api.nvim_get_mode().mode'))
    child:type('<Esc>')
    local sent = calls('turn.start')
    assert.equals('first', sent[1].params.text)
    assert.equals('second\nline', sent[2].params.text)
    assert.equals('||first||second|line||', body())
  end)

  it('does not send a blank prompt', function()
    child:chat()
    child:type('i  <CR> <Esc><CR>')
    assert.same({}, calls('turn.start'))
  end)

  it('keeps the text, and says why, while a reply is coming', function()
    child:chat()
    child:send('first')
    child:send('second')
    child:wait_message('still being written')
    assert.equals(1, #calls('turn.start'))
    assert.equals('||first||second', body())
  end)

  it('gives a refused message back to the prompt', function()
    child:chat()
    child:host('test.answer', { method = 'turn.start', error = { kind = 'io', message = 'the disk is full' } })
    child:send('precious words')
    child:wait_message('the disk is full')
    assert.equals('||precious words', body())
    child:type('<CR>')
    assert.equals('precious words', calls('turn.start')[2].params.text)
    assert.equals('||precious words||', body())
  end)

  it('says what was kept out of the log, under the message and under the reply', function()
    child:chat()
    child:send('my password is tiger77')
    emit('turn/note', { under = 'message', notice = 'Kept out of the log: 1 password.' })
    local waiting = 'claude · claude-opus-4-8 · waiting…'
    assert.same({ 'Kept out of the log: 1 password.', waiting }, child:shown()[2])
    emit('turn/text', { text = 'Change tiger77.' })
    emit('turn/note', { under = 'reply', notice = 'Kept out of the log: 1 password.' })
    emit('turn/done', { state = 'done' })
    assert.same({ 'Kept out of the log: 1 password.' }, child:shown()[2])
    assert.same({ 'Kept out of the log: 1 password.' }, child:shown()[4])
  end)

  it('shows what was recalled, thought, said and learned', function()
    child:chat()
    child:send('which indentation?')
    emit('turn/recalled', {
      hits = {
        { source = 'memory', id = 7, text = 'The user prefers tabs.', score = 2.5, kind = 'preference' },
        { source = 'turn', id = 3, text = 'tabs please', score = 1.25, role = 'user' },
      },
    })
    assert.same({ '2 memories recalled · gm shows them', 'claude · claude-opus-4-8 · waiting…' }, child:shown()[2])
    emit('turn/thinking', {})
    assert.equals('claude · claude-opus-4-8 · thinking…', child:shown()[2][2])
    emit('turn/text', { text = 'Tabs.' })
    assert.same({ '2 memories recalled · gm shows them' }, child:shown()[2])
    emit('turn/done', { state = 'done', reply = 102, model = 'claude-haiku-4-5' })
    emit('learn/done', { stored = { { id = 12, text = 'The user asks about tabs.' } }, duplicates = 0 })
    local shown = child:shown()
    assert.equals('you', shown[1][1])
    assert.equals('claude · claude-haiku-4-5', shown[3][1])
    assert.same({ 'learned: The user asks about tabs. (12)' }, shown[4])
    assert.equals('||which indentation?||Tabs.||', body())

    child:type('gm')
    local float = child:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)')
    assert.truthy(float[1]:find('2.50.*7.*preference.*The user prefers tabs'))
    assert.truthy(float[2]:find('1.25.*you said.*tabs please'))
    child:type('q')
  end)

  it('names several learned memories, and a failed learning, in one line each', function()
    child:chat()
    child:send('x')
    emit('turn/text', { text = 'y' })
    emit('turn/done', { state = 'done' })
    emit('learn/done', { stored = { { id = 1, text = 'A.' }, { id = 2, text = 'B.' } }, duplicates = 1 })
    emit('learn/failed', { notice = 'not learned: the server is overloaded' })
    assert.same({ 'learned 2: A. (1) · B. (2)', 'not learned: the server is overloaded' }, child:shown()[4])
    assert.same({}, child:messages())
  end)

  it('says apart what was learned, what replaces another, and what waits', function()
    child:chat()
    child:send('x')
    emit('turn/text', { text = 'y' })
    emit('turn/done', { state = 'done' })
    emit('learn/done', {
      stored = {
        { id = 1, text = 'A.', replaces = 7 },
        { id = 2, text = 'B.', state = 'quarantined' },
        { id = 3, text = 'C.', made_by = 'rules' },
        { id = 4, text = 'D.' },
      },
    })
    local lines = child:shown()[4]
    assert.same({ 'learned 2: A. (1, replaces 7) · D. (4)', 'to review: B. (2)', 'learned by rule: C. (3)' }, lines)
  end)

  it('puts what is learned late under its reply, not under the next message', function()
    child:chat()
    child:send('x')
    emit('turn/text', { text = 'y' })
    emit('turn/done', { state = 'done' })
    child:send('next')
    emit('learn/done', { stored = { { id = 1, text = 'A.' } }, duplicates = 0 })
    assert.same({ 'learned: A. (1)' }, child:shown()[4])
  end)

  it('says how a turn ended, and how to ask again', function()
    child:chat()
    child:send('x')
    emit('turn/done', { state = 'failed', notice = 'the API is overloaded' })
    assert.same({ 'the API is overloaded · gR sends it again' }, child:shown()[2])
    child:type('gR')
    child:settle()
    assert.equals(1, #calls('turn.retry'))
    assert.same({ 'claude · claude-opus-4-8 · waiting…' }, child:shown()[2])
    emit('turn/text', { text = 'now' })
    emit('turn/done', { state = 'stopped', notice = 'stopped' })
    assert.same({ 'stopped · gC continues · gR sends again' }, child:shown()[4])
    assert.equals('||x||now||', body())
  end)

  it('counts down to the next try, and a key cuts it short', function()
    child:chat()
    child:send('x')
    emit('turn/pausing', { notice = 'Anthropic is overloaded; send again in a moment.', milliseconds = 3000 })
    local line = 'Anthropic is overloaded · again in %d s · gR now · <C-c> stops'
    assert.equals(line:format(3), table.concat(child:shown()[2], ' '))
    child:wait('the next second', [[
      local shown = vim.inspect(vim.api.nvim_buf_get_extmarks(0, require('selfmind.chat.marks').namespace, 0, -1,
        { details = true }))
      return shown:find('again in 2', 1, true)
    ]])
    child:type('gR')
    child:settle()
    assert.equals(1, #calls('turn.retry'))
    assert.same({ 'claude · claude-opus-4-8 · waiting…' }, child:shown()[2])
    emit('turn/text', { text = 'now' })
    emit('turn/done', { state = 'done' })
    assert.equals('||x||now||', body())
  end)

  it('shows no countdown beside a reply that has come', function()
    child:chat()
    child:send('x')
    emit('turn/pausing', { notice = 'The connection broke off; send again.', milliseconds = 60000 })
    emit('turn/text', { text = 'now' })
    assert.is_nil(vim.inspect(child:shown()):find('again in', 1, true))
    assert.is_true(child:lua("return require('selfmind.chat.conversations').of(1).pause == nil"))
    emit('turn/done', { state = 'done' })
  end)

  it('asks for the rest of a reply that broke off', function()
    child:chat()
    child:type('gC')
    child:wait_message('no reply to continue')
    child:send('x')
    emit('turn/text', { text = 'Once upon' })
    emit('turn/done', { state = 'interrupted', notice = 'The connection broke off; send again.' })
    local line = 'interrupted: The connection broke off · gC continues · gR sends again'
    assert.equals(line, table.concat(child:shown()[4], ' '))
    child:type('gC')
    child:settle()
    assert.truthy(calls('turn.start')[2].params.text:find('^Continue your last reply'))
    emit('turn/done', { state = 'stopped', notice = 'Stopped.' })
  end)

  it('heads an offline answer as what it is', function()
    child:chat()
    child:send('x')
    emit('turn/text', { text = 'You said: tabs.' })
    emit('turn/done', { state = 'offline', notice = 'no API key is set' })
    assert.equals('from memory (offline)', child:shown()[3][1])
    assert.same({ 'no API key is set · gR sends it again' }, child:shown()[4])
    child:type('gR')
    child:settle()
    emit('turn/text', { text = 'Hello.' })
    assert.equals('||x||You said: tabs.||Hello.||', body())
    assert.equals('claude · claude-opus-4-8', child:shown()[5][1])
  end)

  it('stops with <C-c>', function()
    child:chat()
    child:send('x')
    child:type('<C-c>')
    assert.equals(1, calls('turn.stop')[1].params.chat)
  end)

  it('keeps text whole, whatever language and fences it has', function()
    child:chat()
    child:send('Zoë ❤ 日本語 🍵')
    local reply = 'Grüße 🍵\n```lua\nprint("é")\n```\n\nEnde'
    for character in reply:gmatch('[%z\1-\127\194-\244][\128-\191]*') do
      emit('turn/text', { text = character })
    end
    assert.equals('Zoë ❤ 日本語 🍵', calls('turn.start')[1].params.text)
    assert.equals('||Zoë ❤ 日本語 🍵||' .. reply:gsub('\n', '|') .. '||', body())
  end)

  it('does what the slash lines say and sends other words with a slash', function()
    child:chat()
    child:send('/remember I like plums')
    child:wait_message('remembered 13: I like plums')
    assert.equals('||', body())
    child:send('/etc/hosts is a file')
    assert.equals('/etc/hosts is a file', calls('turn.start')[1].params.text)
    emit('turn/done', { state = 'done' })
    child:type('i/stats<CR>and then this<Esc><CR>')
    child:wait('the statistics', "return vim.api.nvim_buf_get_lines(0, 0, 1, false)[1]:find('^bytes')")
    child:type('q')
    assert.equals('||/etc/hosts is a file||and then this', body())
    child:type('dd')
    child:send('/memories')
    child:wait('the list', "return vim.bo.filetype == 'selfmind-memories'")
    assert.equals(1, #calls('turn.start'))
  end)

  it('answers a slash line over the prompt in insert mode, where no message would be seen', function()
    local function line_over_prompt()
      return table.concat(child:shown()[1] or {}, '|')
    end
    child:chat()
    child:type('i/remember I like plums<C-s>')
    child:settle()
    assert.truthy(line_over_prompt():find('remembered 13: I like plums', 1, true), line_over_prompt())
    child:type('first<C-s>')
    child:settle()
    child:type('second<C-s>')
    child:settle()
    local shown = vim.inspect(child:shown())
    assert.truthy(shown:find('still being written', 1, true), shown)
    assert.is_nil(shown:find('remembered', 1, true))
    emit('turn/done', { state = 'done' })
    child:type('<C-s>')
    child:settle()
    assert.is_nil(vim.inspect(child:shown()):find('still being written', 1, true))
    assert.equals('i', child:lua('return vim.api.nvim_get_mode().mode'))
    child:type('/memories<C-s>')
    child:wait('the list', "return vim.bo.filetype == 'selfmind-memories'")
    assert.equals('n', child:lua('return vim.api.nvim_get_mode().mode'))
  end)

  it('asks the key function once, before the first message', function()
    child:lua([[
      _G.asked = 0
      require('selfmind').setup({ api_key = function() _G.asked = _G.asked + 1 return ' secret\n' end })
    ]])
    child:chat()
    assert.equals(0, child:lua('return _G.asked'))
    child:send('one')
    emit('turn/done', { state = 'done' })
    child:send('two')
    assert.equals(1, child:lua('return _G.asked'))
    local keys = calls('key.set')
    assert.same({ { api_key = 'secret' } }, { keys[1].params, keys[2] })
  end)

  it('survives a key function that fails, and says why without what looks like a key', function()
    child:lua([[require('selfmind').setup({ api_key = function()
      error('pass: no entry anthropic, had sk-x1 and abcdefghijklmnop0123456789\nmore words', 0)
    end })]])
    child:chat()
    child:send('one')
    child:wait_message('the setting api_key failed: pass: no entry anthropic, had [key] and [key]')
    assert.equals(1, #calls('turn.start'))
    assert.equals(1, #child:messages())
    assert.is_nil(table.concat(child:messages()):find('more words', 1, true))
  end)

  for _, case in ipairs({
    { 'return { 1 }', 'must return the key as a string, not a table' },
    { "return 'one\\ntwo'", 'must return the key alone' },
    { 'error({})', 'the setting api_key failed: table' },
    { "error('', 0)", 'the setting api_key failed: no reason given' },
  }) do
    it('sends no key when its function does: ' .. case[1], function()
      child:lua(("require('selfmind').setup({ api_key = function() %s end })"):format(case[1]))
      child:chat()
      child:send('one')
      child:wait_message(case[2])
      assert.same({}, calls('key.set'))
    end)
  end

  local TURNS = {
    { id = 1, role = 'user', state = 'answered', text = 'tabs?', at = 'x', given = { 7 } },
    { id = 2, role = 'assistant', state = 'stopped', text = 'Well', at = 'x', model = 'm', notice = 'stopped' },
    { id = 3, role = 'user', state = 'unanswered', text = 'why', at = 'x' },
  }

  it('shows the log again when reopened, with the draft', function()
    child:chat()
    child:type('ihalf a thought<Esc>')
    child:wait('the draft', [[
      require('selfmind.host').notify('test.seen', {}, function(_, result) _G.seen = result.calls end)
      for _, call in ipairs(_G.seen or {}) do
        if call.method == 'chat.draft' and call.params.text == 'half a thought' then return true end
      end
    ]])
    child:host('test.log', { chat = 1, turns = TURNS })
    child:cmd('bdelete')
    child:chat()
    assert.equals('||tabs?||Well||why||half a thought', body())
    local shown = child:shown()
    assert.same({ '1 memory recalled · gm shows them' }, shown[2])
    assert.equals('claude · m', shown[3][1])
    assert.same({ 'stopped · gC continues · gR sends again' }, shown[4])
    child:type('uu')
    assert.equals('||tabs?||Well||why||half a thought', body())
    child:type('3Ggm')
    assert.equals('    7  The user prefers tabs over spaces.', child:lua('return vim.api.nvim_get_current_line()'))
  end)

  it('shows which of two replies counts, and one that another Neovim is writing', function()
    child:chat()
    local function reply(id, parent_text, state)
      return { id = id, role = 'assistant', state = state, text = parent_text, at = 'x', model = 'm' }
    end
    child:host('test.log', {
      chat = 1,
      turns = {
        { id = 101, role = 'user', state = 'answered', text = 'x', at = 'x' },
        reply(102, 'Once', 'stopped'),
        reply(103, 'Once upon a time.', 'done'),
        { id = 104, role = 'user', state = 'unanswered', text = 'y', at = 'x' },
        reply(105, 'It', 'streaming'),
      },
    })
    child:cmd('edit')
    child:wait('the log', 'return vim.api.nvim_buf_line_count(0) > 8')
    local shown = vim.inspect(child:shown())
    assert.truthy(shown:find('the reply below is the one', 1, true), shown)
    assert.truthy(shown:find('in another Neovim', 1, true), shown)
    assert.is_nil(shown:find('stopped', 1, true))
  end)

  it('shows the log again with :e and keeps what is typed', function()
    child:chat()
    child:type('itext<Esc>')
    child:host('test.log', { chat = 1, turns = TURNS })
    child:cmd('edit')
    child:wait('the log', 'return vim.api.nvim_buf_line_count(0) > 5')
    assert.equals('||tabs?||Well||why||text', body())
    child:type('Amore<CR><Esc>')
    assert.equals('||tabs?||Well||why||textmore|', body())
  end)

  for _, way in ipairs({ 'bdelete', 'bwipeout', 'quit', 'SelfMind toggle' }) do
    it('survives :' .. way .. ' in the middle of a reply, and shows it after', function()
      child:chat()
      child:send('x')
      emit('turn/text', { text = 'one' })
      child:cmd(way)
      child:host('test.log', {
        chat = 1,
        busy = true,
        turns = {
          { id = 101, role = 'user', state = 'unanswered', text = 'x', at = 'x' },
          { id = 102, role = 'assistant', state = 'streaming', text = 'one two', at = 'x' },
        },
      })
      emit('turn/text', { text = ' two' })
      child:chat()
      emit('turn/text', { text = ' three' })
      assert.equals('||x||one two three||', body())
      child:type('itwo be sent<Esc>')
      child:host('test.log', {
        chat = 1,
        turns = {
          { id = 101, role = 'user', state = 'answered', text = 'x', at = 'x' },
          { id = 102, role = 'assistant', state = 'done', text = 'one two three', at = 'x', model = 'm' },
        },
      })
      emit('turn/done', { state = 'done', reply = 102, model = 'm' })
      child:settle()
      assert.equals('||x||one two three||two be sent', body())
      assert.equals('claude · m', child:shown()[3][1])
      assert.same({}, child:messages())
    end)
  end

  it('reloads when text went by before it was reopened', function()
    child:chat()
    child:send('x')
    child:cmd('bdelete')
    child:host('test.log', {
      chat = 1,
      busy = true,
      turns = { { id = 101, role = 'user', state = 'unanswered', text = 'x', at = 'x' } },
    })
    child:chat()
    emit('turn/text', { text = 'end' })
    child:host('test.log', {
      chat = 1,
      turns = {
        { id = 101, role = 'user', state = 'answered', text = 'x', at = 'x' },
        { id = 102, role = 'assistant', state = 'done', text = 'beginning and end', at = 'x' },
      },
    })
    emit('turn/done', { state = 'done' })
    child:settle()
    assert.equals('||x||beginning and end||', body())
  end)

  it('opens the chat of the folder it is asked in', function()
    local first = child:chat()
    child:cmd('tabnew | tcd /')
    local second = child:chat()
    assert.are_not.equal(first, second)
    assert.equals('/', calls('chat.open')[2].params.folder)
    child:cmd('tabprevious')
    child:cmd('SelfMind new')
    child:wait('a third chat', 'return #vim.fn.win_findbuf(...) == 0 or vim.api.nvim_get_current_buf() ~= ...', first)
  end)

  it('keeps the draft when Neovim quits, and does not wait for anything', function()
    local path = vim.fn.tempname()
    local other = Child.start({ env = { FAKE_LOG = path } })
    other:chat()
    other:type('ihalf a thought')
    vim.rpcnotify(other.channel, 'nvim_command', 'qa!')
    vim.fn.jobwait({ other.channel }, 2000)
    assert.is_true(vim.wait(2000, function()
      return vim.fn.filereadable(path) == 1
        and table.concat(vim.fn.readfile(path)):find('["chat.draft"', 1, true) ~= nil
    end))
    assert.truthy(table.concat(vim.fn.readfile(path)):find('half a thought', 1, true))
  end)

  it('comes back in a restored session', function()
    child:chat()
    child:send('first')
    child:cmd('SelfMind new')
    child:settle()
    child:cmd('bwipeout! ' .. child:lua('return _G.chat_buffer'))
    child:cmd('edit selfmind://chat/00000000-0000-7000-8000-000000000001')
    child:lua('_G.chat_buffer = vim.api.nvim_get_current_buf()')
    child:settle()
    assert.equals('00000000-0000-7000-8000-000000000001', calls('chat.open')[3].params.uuid)
    child:send('x')
    assert.truthy(body():find('x', 1, true))
    child:cmd('edit selfmind://chat/another')
    child:wait_message('There is no such chat')
  end)

  it('leaves something to look at when it was the only window', function()
    child:chat()
    child:cmd('only')
    child:cmd('SelfMind toggle')
    assert.are_not.equal('selfmind', child:lua('return vim.bo.filetype'))
    child:cmd('SelfMind toggle')
    child:wait('the chat', "return vim.bo.filetype == 'selfmind'")
  end)

  it('is usable after the user has emptied the whole buffer', function()
    child:chat()
    child:send('x')
    emit('turn/text', { text = 'one' })
    child:type('ggdG')
    emit('turn/text', { text = 'two' })
    child:send('again')
    child:wait_message('still being written')
    emit('turn/done', { state = 'done' })
    child:type('<CR>')
    child:settle()
    assert.equals('again', calls('turn.start')[2].params.text)
    emit('turn/text', { turn = 102, text = 'three' })
    assert.truthy(body():find('|again||three|', 1, true))
  end)

  for mode, keys in pairs({
    ['the command line'] = { ':echo', '<Esc>' },
    ['the command-line window'] = { 'q:', '<C-c><C-c>' },
    ['visual mode'] = { 'v', '<Esc>' },
    ['operator-pending mode'] = { 'd', '<Esc>' },
    ['a mapping that waits for a key and forbids changes'] = { 'gz', 'x' },
    ['another buffer\'s insert mode'] = { '<C-w>pi', '<Esc><C-w>p' },
  }) do
    it('goes on in ' .. mode, function()
      child:chat()
      child:lua([[
        vim.keymap.set('n', 'gz', function() vim.fn.getchar() return '' end, { expr = true })
      ]])
      child:send('x')
      child:type(keys[1])
      for i = 1, 3 do
        -- From inside the child: some of these modes answer no requests.
        vim.rpcnotify(child.channel, 'nvim_exec_lua', "require('selfmind.events').receive(...)", {
          'turn/text',
          { chat = 1, turn = 101, text = ('piece %d '):format(i) },
        })
      end
      vim.wait(100) -- time to arrive in that mode, which answers nothing that could be waited for
      child:type(keys[2])
      child:wait('the text', [[
        return vim.api.nvim_buf_get_lines(_G.chat_buffer, 4, 5, false)[1] == 'piece 1 piece 2 piece 3 '
      ]])
      emit('turn/done', { state = 'done' })
      assert.same({}, child:messages())
    end)
  end

  it('fires User autocommands', function()
    child:lua([[
      _G.fired = {}
      vim.api.nvim_create_autocmd('User', { pattern = 'SelfMind*', callback = function(event)
        table.insert(_G.fired, event.match .. ' ' .. tostring(event.data.chat))
      end })
    ]])
    child:chat()
    child:send('x')
    emit('turn/recalled', { hits = {} })
    emit('turn/done', { state = 'done' })
    emit('learn/done', { stored = {}, duplicates = 0 })
    child:emit('memories/changed', vim.empty_dict())
    assert.same({
      'SelfMindRecalled 1',
      'SelfMindTurnDone 1',
      'SelfMindLearned 1',
      'SelfMindMemoriesChanged nil',
    }, child:lua('return _G.fired'))
  end)

  it('lives through an unknown event and an error in a handler', function()
    child:chat()
    child:emit('future/thing', { chat = 1 })
    child:emit('turn/recalled', { chat = 1, turn = 'x' })
    child:wait_message('internal error')
    child:send('x')
    assert.equals(1, #calls('turn.start'))
  end)

  describe('that is private', function()
    before_each(function()
      child:cmd('SelfMind private')
      child:wait('the chat', "return vim.bo.filetype == 'selfmind'")
      child:lua('_G.chat_buffer = vim.api.nvim_get_current_buf()')
    end)

    local function name()
      return child:lua('return vim.api.nvim_buf_get_name(0)')
    end

    it('says so in its title, beside the prompt and in its name', function()
      assert.equals('selfmind://private/00000000-0000-7000-8000-000000000001', name())
      assert.truthy(child:shown()[0][1]:find('^private, nothing of this is kept · '))
      assert.equals('── private · <CR> sends · g? shows the keys', child:shown()[1][1])
      assert.is_true(calls('chat.open')[1].params.private)
      child:cmd('SelfMind chat')
      child:wait('the usual chat', "return vim.api.nvim_buf_get_name(0):find('^selfmind://chat/')")
      assert.is_nil(calls('chat.open')[2].params.private)
    end)

    it('is shown again while it is open, and looks again with :e', function()
      child:send('first')
      emit('turn/done', { state = 'done' })
      child:cmd('enew')
      child:cmd('SelfMind private')
      child:wait('the chat', "return vim.bo.filetype == 'selfmind'")
      assert.equals(1, #calls('chat.open'))
      child:cmd('edit')
      child:settle()
      assert.same(
        { uuid = '00000000-0000-7000-8000-000000000001', private = true, folder = vim.fn.getcwd() },
        calls('chat.open')[2].params
      )
      child:wait('the log', "return vim.api.nvim_buf_get_lines(0, 2, 3, false)[1] == 'first'")
      assert.same({}, calls('chat.close'))
    end)

    for how, command in pairs({
      ['its last window'] = 'quit',
      ['the chat of this tab page'] = 'SelfMind toggle',
      ['its only window'] = 'only | SelfMind toggle',
      ['its buffer'] = 'bdelete!',
      ['the chat, as one is deleted that is kept,'] = 'SelfMind delete chat',
    }) do
      it('is gone when ' .. how .. ' is closed', function()
        child:cmd('split') -- of another window there is more than one view
        child:cmd('quit')
        assert.same({}, calls('chat.close'))
        child:cmd(command)
        child:wait('the end of its buffer', 'return not vim.api.nvim_buf_is_valid(_G.chat_buffer)')
        assert.same({ chat = 1 }, calls('chat.close')[1].params)
        child:cmd('SelfMind private')
        child:wait('another', "return vim.api.nvim_buf_get_name(0):find('^selfmind://private/.*2$')")
      end)
    end

    it('can be read but not gone on with when its host has gone', function()
      child:send('first')
      child:lua("require('selfmind.host').notify('test.exit', { code = 1 })")
      child:wait_message('the host ended')
      child:wait('the line', "return require('selfmind.chat.conversations').in_buffer(_G.chat_buffer).gone")
      local shown = table.concat(child:shown()[2], ' ')
      assert.truthy(vim.endswith(shown, 'gone with its host: :SelfMind private opens another'))
      child:type('isecond<Esc><CR>')
      child:wait_message('this private chat is gone')
      child:type('gR')
      child:type('gC')
      assert.equals('||first||second', body())
      child:cmd('quit')
      child:wait('the end of its buffer', 'return not vim.api.nvim_buf_is_valid(_G.chat_buffer)')
      assert.same({}, calls('turn.start')) -- of the new host
      assert.same({}, calls('chat.close'))
    end)
  end)
end)
