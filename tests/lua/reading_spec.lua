-- Reading a chat: moving between turns, text objects, and what is done with a code block.

local Child = require('support.child')

local FIRST = 'Which loop?\n\nThis one:\n```lua\nfor i = 1, 3 do' -- a fence that nobody closed
local REPLY = table.concat({
  'Like so:',
  '',
  '````markdown',
  '```lua',
  'print(1)',
  '```',
  '````',
  '',
  '1. or',
  '   ~~~sh',
  '   echo 2',
  '     echo 3',
  '   ~~~',
  '',
  '```',
  '```',
}, '\n')

local TURNS = {
  { id = 1, role = 'user', state = 'answered', text = FIRST, at = 'x' },
  { id = 2, role = 'assistant', state = 'done', text = REPLY, at = 'x', model = 'm' },
  { id = 3, role = 'user', state = 'answered', text = 'thanks', at = 'x' },
  { id = 4, role = 'assistant', state = 'done', text = 'Welcome.', at = 'x', model = 'm' },
}
-- Lines from 1: the title, then each turn's header and text, then the line over the prompt and the prompt.
local MESSAGE, ANSWER, THANKS, WELCOME, PROMPT = 2, 8, 25, 27, 30

describe('reading a chat', function()
  local child

  before_each(function()
    child = Child.start()
    child:lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'one', 'two', 'three' })")
    child:chat()
    child:host('test.log', { chat = 1, turns = TURNS })
    child:cmd('edit')
    child:wait('the log', 'return vim.api.nvim_buf_line_count(0) >= 30')
  end)

  after_each(function()
    child:stop()
  end)

  ---@param line integer|string its number, or text in it
  local function go(line)
    if type(line) == 'string' then
      local text = line
      for number, each in ipairs(child:lines()) do
        if each:find(text, 1, true) then
          line = number
        end
      end
    end
    child:lua('vim.api.nvim_win_set_cursor(0, { ..., 0 })', line)
  end

  ---Goes to the chat's window.
  local function back()
    child:lua('vim.api.nvim_set_current_win(vim.fn.bufwinid(_G.chat_buffer))')
  end

  local function line()
    return child:lua('return vim.api.nvim_win_get_cursor(0)[1]')
  end

  ---@param register? string
  local function yanked(register)
    return child:lua('return vim.fn.getreg(...)', register or '"')
  end

  ---@return string[] of the buffer beside the chat
  local function beside()
    return child:lua([[
      for _, win in ipairs(vim.api.nvim_list_wins()) do
        local bufnr = vim.api.nvim_win_get_buf(win)
        if bufnr ~= _G.chat_buffer then return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false) end
      end
    ]])
  end

  describe('from turn to turn', function()
    it('goes down to each header and into the prompt, and no further', function()
      go(1)
      for _, expected in ipairs({ MESSAGE, ANSWER, THANKS, WELCOME, PROMPT, PROMPT }) do
        child:type(']]')
        assert.equals(expected, line())
      end
    end)

    it('goes up to the header of this turn, then to those before, and no further', function()
      child:type('Afirst<CR>second<Esc>')
      for _, expected in ipairs({ PROMPT, WELCOME, THANKS, ANSWER, MESSAGE, MESSAGE }) do
        child:type('[[')
        assert.equals(expected, line())
      end
      go('echo 2')
      child:type('[[')
      assert.equals(ANSWER, line())
    end)

    it('takes counts, and stops at the end where there are not so many', function()
      go(1)
      child:type('3]]')
      assert.equals(THANKS, line())
      child:type('2[[')
      assert.equals(MESSAGE, line())
      child:type('99]]')
      assert.equals(PROMPT, line())
      child:type('99[[')
      assert.equals(MESSAGE, line())
    end)

    it('can be jumped back from', function()
      go(ANSWER + 3)
      child:type(']]<C-o>')
      assert.equals(ANSWER + 3, line())
    end)

    it('extends a selection', function()
      go(MESSAGE)
      child:type('V2]]y')
      assert.equals(THANKS - MESSAGE + 1, select(2, yanked():gsub('\n', '')))
    end)

    it('is a motion for operators, with a count', function()
      go(THANKS)
      child:type('d2]]')
      assert.equals('\nthanks\n\nWelcome.\n\n', yanked())
      assert.equals('', child:lua("return vim.fn.getline('.')"))
      go(THANKS)
      child:type('yy[[') -- yy, then a jump: nothing is left waiting
      assert.equals(ANSWER, line())
    end)

    it('passes over a turn that an undo has taken away', function()
      child:send('more')
      child:emit('turn/text', { chat = 1, turn = 101, text = 'More.' })
      child:emit('turn/done', { chat = 1, turn = 101, state = 'done' })
      child:type('u')
      go(1)
      child:type('6]]')
      assert.equals('', child:lua("return vim.fn.getline('.')"))
      assert.equals(PROMPT + 2, line())
    end)
  end)

  describe('by its text objects', function()
    for keys, case in pairs({
      ['yic'] = { 'print(1)', '```lua\nprint(1)\n```\n' },
      ['yac'] = { 'print(1)', '````markdown\n```lua\nprint(1)\n```\n````\n' },
      ['vacy'] = { 'echo 2', '   ~~~sh\n   echo 2\n     echo 3\n   ~~~\n' },
      ['yim'] = { 'thanks', 'thanks\n' },
      ['yam'] = { 'thanks', '\nthanks\n' },
      ['vkim<Esc>yim'] = { 'Welcome', 'Welcome.\n' },
      ['vimy'] = { 'Like so', REPLY .. '\n' },
    }) do
      it(('takes with %s what it names'):format(keys), function()
        go(case[1])
        child:type(keys)
        assert.equals(case[2], yanked())
      end)
    end

    it('deletes, and does it again elsewhere with a dot', function()
      go('print(1)')
      child:type('dic')
      go('echo 3')
      child:type('.')
      assert.equals('````markdown|````', table.concat(vim.list_slice(child:lines(), ANSWER + 3, ANSWER + 4), '|'))
      assert.equals('   ~~~sh|   ~~~', table.concat(vim.list_slice(child:lines(), ANSWER + 7, ANSWER + 8), '|'))
    end)

    it('does nothing where there is none, and leaves no operator waiting', function()
      local before = child:lines()
      go('Like so')
      child:type('dic')
      go('Welcome')
      child:type('dac')
      go(1)
      child:type('dim')
      child:type('dam')
      assert.same(before, child:lines())
      assert.equals('n', child:lua('return vim.api.nvim_get_mode().mode'))
    end)

    it('takes of the prompt what is typed, and never the line over it', function()
      child:type('Adraft<Esc>')
      local before = child:lines()
      child:type('dam')
      assert.equals('draft\n', yanked())
      assert.equals(#before - 1, #child:lines())
      child:send('still works')
      assert.equals('still works', child:seen('turn.start')[1].params.text)
    end)
  end)

  describe('with a code block', function()
    it('yanks it without its indentation, into the register that was named', function()
      go('echo 2')
      child:type('gy')
      assert.equals('echo 2\n  echo 3\n', yanked())
      assert.equals('selfmind: yanked 2 lines of sh', child:messages()[1])
      go('print(1)')
      child:type('"agy')
      assert.equals('```lua\nprint(1)\n```\n', yanked('a'))
      assert.equals('echo 2\n  echo 3\n', yanked('0'))
    end)

    it('says so when the register takes no lines', function()
      go('echo 2')
      child:type('"/gy')
      child:wait_message('the register "/ takes no lines')
    end)

    it('that was never closed ends with its turn', function()
      go('for i')
      child:type('gy')
      assert.equals('for i = 1, 3 do\n', yanked())
      go('Like so')
      child:type('gy')
      child:wait_message('the cursor is in no code block')
    end)

    it('yanks what there is of one that is still being written', function()
      child:send('more')
      child:emit('turn/text', { chat = 1, turn = 101, text = 'Sure:\n```c\nint a;\nint b' })
      go('int a')
      child:type('gy')
      assert.equals('int a;\nint b\n', yanked())
      child:emit('turn/text', { chat = 1, turn = 101, text = ';\n```\nDone.' })
      child:type('gy')
      assert.equals('int a;\nint b;\n', yanked())
      child:emit('turn/done', { chat = 1, turn = 101, state = 'done' })
      go('Done.')
      child:type('gy')
      child:wait_message('the cursor is in no code block')
    end)

    it('in the prompt is one, too', function()
      child:type('A```<CR>x<CR>```<Esc>kgy')
      assert.equals('x\n', yanked())
    end)

    it('says so when it is empty', function()
      go(WELCOME - 3)
      child:type('gy')
      child:wait_message('this code block is empty')
    end)

    it('reads no line of another turn', function()
      child:lua([[
        _G.read = {}
        local original = vim.api.nvim_buf_get_lines
        vim.api.nvim_buf_get_lines = function(bufnr, first, last, strict)
          table.insert(_G.read, { first, last })
          return original(bufnr, first, last, strict)
        end
        local marks = vim.api.nvim_buf_get_extmarks
        vim.api.nvim_buf_get_extmarks = function(bufnr, ns, from, to, opts)
          assert(opts.limit and opts.limit < 30)
          return marks(bufnr, ns, from, to, opts)
        end
      ]])
      go(ANSWER + 5)
      child:type('gy')
      child:type('3]]3[[')
      assert.same({ { ANSWER, THANKS - 1 } }, child:lua('return _G.read'))
      assert.same({ 'selfmind: yanked 3 lines of markdown' }, child:messages())
    end)

    it('goes under the line of the cursor beside the chat, each time as an undo step of its own', function()
      child:lua('_G.file = vim.fn.win_getid(vim.fn.winnr("#")); vim.api.nvim_win_set_cursor(_G.file, { 2, 1 })')
      go('echo 2')
      child:type('gA')
      assert.same({ 'one', 'two', 'echo 2', '  echo 3', 'three' }, beside())
      child:type('gA')
      assert.same({ 'one', 'two', 'echo 2', '  echo 3', 'echo 2', '  echo 3', 'three' }, beside())
      child:lua('vim.api.nvim_set_current_win(_G.file)')
      child:type('u')
      assert.same({ 'one', 'two', 'echo 2', '  echo 3', 'three' }, beside())
      child:type('u')
      assert.same({ 'one', 'two', 'three' }, beside())
    end)

    it('takes the place of a blank line', function()
      child:cmd('wincmd p')
      child:type('O<Esc>')
      child:cmd('wincmd p')
      go('print(1)')
      child:type('gA')
      assert.same({ '```lua', 'print(1)', '```', 'one', 'two', 'three' }, beside())
    end)

    it('goes to the window that was left last, past floating ones and lists', function()
      child:cmd('wincmd p')
      child:lua("vim.o.splitbelow = true") -- so that it is not simply the first of them
      child:cmd('new')
      child:lua('_G.file = vim.api.nvim_get_current_win()')
      back()
      child:type('g?q')
      child:cmd('Memories')
      child:wait('the list', "return vim.bo.filetype == 'selfmind-memories'")
      back()
      go('echo 2')
      child:type('gA')
      local lines = child:lua('return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(_G.file), 0, -1, false)')
      assert.same({ 'echo 2', '  echo 3' }, lines)
    end)

    it('is refused where the buffer cannot be changed, or there is none', function()
      child:cmd('wincmd p')
      child:cmd('setlocal nomodifiable')
      back()
      go('echo 2')
      child:type('gA')
      child:wait_message('the buffer without a name cannot be changed: go to another window first')
      child:cmd('only')
      child:type('gA')
      child:wait_message('there is no other window in this tab page')
      child:type('g=')
      assert.equals(1, child:lua('return #vim.api.nvim_list_wins()'))
    end)
  end)

  describe('compared with the buffer beside it', function()
    local OPTIONS = [[
      local found = {}
      for _, name in ipairs({
        'diff', 'scrollbind', 'cursorbind', 'wrap', 'foldmethod', 'foldcolumn', 'foldenable', 'foldlevel'
      }) do
        found[name] = vim.api.nvim_get_option_value(name, { win = _G.file })
      end
      return found
    ]]
    local before

    before_each(function()
      child:lua('_G.file = vim.fn.win_getid(vim.fn.winnr("#"))')
      before = child:lua(OPTIONS)
      go('echo 2')
      child:type('g=')
    end)

    local function windows()
      return child:lua('return #vim.api.nvim_list_wins()')
    end

    it('is a buffer of its own in diff mode, closed by q, which leads back to the chat', function()
      assert.equals(3, windows())
      assert.same({ 'echo 2', '  echo 3' }, child:lua('return vim.api.nvim_buf_get_lines(0, 0, -1, false)'))
      assert.is_true(child:lua('return vim.wo.diff and vim.wo[_G.file].diff'))
      local scratch = child:lua('return vim.api.nvim_get_current_buf()')
      child:type('q')
      assert.equals(2, windows())
      assert.is_false(child:lua('return vim.api.nvim_buf_is_valid(...)', scratch))
      assert.same(before, child:lua(OPTIONS))
      assert.equals('selfmind', child:lua('return vim.bo.filetype'))
    end)

    it('is not opened where there is no room for it', function()
      child:type('q')
      child:lua([[
        vim.o.winminheight = 1
        vim.api.nvim_set_current_win(_G.file)
        while pcall(vim.cmd, 'split') do end
        _G.file = vim.api.nvim_get_current_win()
      ]])
      local before_it = windows()
      back()
      child:type('g=')
      child:wait_message('there is no room for another window')
      assert.equals(before_it, windows())
      assert.same({}, child:lua([[
        return vim.tbl_filter(function(bufnr)
          return vim.bo[bufnr].buftype == 'nofile' and vim.bo[bufnr].bufhidden == 'wipe'
        end, vim.api.nvim_list_bufs())
      ]]))
      child:lua("vim.v.errmsg = ''")
    end)

    it('is one at a time, and a diff of the user stays one', function()
      child:cmd('wincmd p')
      child:type('g=')
      assert.equals(3, windows())
      child:type('q')
      child:lua([[
        vim.api.nvim_set_current_win(_G.file)
        vim.cmd('split | diffthis | wincmd p | diffthis')
      ]])
      back()
      child:type('g=q')
      assert.is_true(child:lua('return vim.wo[_G.file].diff'))
      assert.equals(3, windows())
    end)

    for how, command in pairs({
      ['its window is closed'] = 'quit',
      ['its buffer is wiped'] = 'bwipeout',
      ['something else is shown in it'] = 'enew',
    }) do
      it('is over when ' .. how, function()
        child:cmd(command)
        child:wait('the end of the comparison', 'return not vim.wo[_G.file].diff')
        assert.same(before, child:lua(OPTIONS))
        assert.is_false(child:lua('return vim.wo.diff'))
        assert.equals(command == 'enew' and 3 or 2, windows())
      end)
    end

    it('is over when the other window is closed', function()
      child:lua('vim.api.nvim_win_close(_G.file, true)')
      child:wait('the end of the comparison', 'return #vim.api.nvim_list_wins() == 1')
      assert.equals('selfmind', child:lua('return vim.bo.filetype'))
    end)

    it('is over when the other window shows something else, and its buffer comes back as it was', function()
      child:lua([[
        vim.o.hidden = true
        _G.bufnr = vim.api.nvim_win_get_buf(_G.file)
        vim.api.nvim_win_call(_G.file, function() vim.cmd('enew') end)
      ]])
      child:wait('the end of the comparison', 'return #vim.api.nvim_list_wins() == 2')
      child:lua('vim.api.nvim_win_call(_G.file, function() vim.cmd("buffer " .. _G.bufnr) end)')
      assert.same(before, child:lua(OPTIONS))
    end)

    it('leaves the folds alone that were made by hand', function()
      child:type('q')
      child:lua([[vim.api.nvim_win_call(_G.file, function() vim.cmd('1,2fold') end)]])
      child:type('g=q')
      assert.equals(2, child:lua([[
        return vim.api.nvim_win_call(_G.file, function() return vim.fn.foldclosedend(1) end)
      ]]))
    end)

    it('takes the block into the buffer with dp', function()
      child:cmd('set diffopt=internal,filler')
      child:type('ggdp')
      assert.same(
        { 'echo 2', '  echo 3' },
        child:lua('return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(_G.file), 0, -1, false)')
      )
    end)

    it('is not what the next block is compared with or inserted into', function()
      back()
      child:type('gA')
      local lines = child:lua('return vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(_G.file), 0, -1, false)')
      assert.equals('echo 2', lines[2])
    end)
  end)
end)
