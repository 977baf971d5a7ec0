-- Every way of leaving a chat in the middle of a reply, with a draft in the prompt: by keys, in a Neovim with a screen,
-- with the real host. Nothing is lost, nothing is asked, and the chat opens where it was.
local World = require('support.world')

local DRAFT = 'a draft of mine'
local LINES = 250 -- of the reply: two seconds of it

describe('a chat that is left in the middle of a reply', function()
  local world

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  ---@return e2e.Neovim
  ---@return string the whole reply
  local function mid_stream(opts)
    local editor = world:editor(opts)
    world:chat(editor)
    local whole = world:begin_story(editor, LINES)
    editor:type('GA' .. DRAFT .. '<Esc>')
    return editor, whole
  end

  ---@param editor e2e.Neovim
  local function in_chat(editor)
    editor:wait('the chat', function()
      return editor:lua('return vim.bo.filetype') == 'selfmind'
    end)
  end

  ---@return string
  local function shown(editor)
    return world:text(editor):match('Tell me a story%.\n\n(.*)') or ''
  end

  local function whole_again(editor, whole)
    editor:wait('the whole reply and the draft', function()
      local come = vim.trim(shown(editor):match('^(.-)\n\n[^\n]*$') or '')
      assert.equals(whole:sub(1, #come), come) -- never a hole in it
      return not world:busy(editor) and shown(editor) == whole .. '\n\n' .. DRAFT
    end)
    assert.same({}, world:errors(editor))
    assert.equals('', editor:lua('return vim.v.errmsg'))
  end

  for name, keys in pairs({
    [':q'] = ':q<CR>',
    [':bd'] = ':bd<CR>',
    [':bw'] = ':bw<CR>',
    ['ZZ'] = 'ZZ',
    ['<C-w>c'] = '<C-w>c',
    ['<C-w>o in the other window'] = '<C-w>p<C-w>o',
    [':SelfMind toggle'] = ':SelfMind toggle<CR>',
    ['another buffer in its only window'] = '<C-w>o:enew<CR>',
    [':bd in its only window'] = '<C-w>o:bd<CR>',
  }) do
    it(('by %s opens with what has come meanwhile and the draft, and gets the rest'):format(name), function()
      local editor, whole = mid_stream()
      editor:type(keys)
      assert.falsy(editor:lua('return vim.bo.filetype') == 'selfmind')
      editor:type(':SelfMind chat<CR>')
      in_chat(editor)
      assert.equals(DRAFT, editor:lua('return vim.api.nvim_get_current_line()'))
      assert.is_true(world:busy(editor))
      whole_again(editor, whole)
    end)

    it(('by %s and opened after its end has the reply and the draft'):format(name), function()
      local editor, whole = mid_stream()
      editor:type(keys)
      editor:wait('the reply in the log', function()
        local log = vim.json.decode(world:host('log', '--json').stdout)
        local last = log.turns and log.turns[#log.turns] or log[#log]
        return last.role == 'assistant' and last.state == 'done'
      end)
      editor:type(':SelfMind chat<CR>')
      in_chat(editor)
      whole_again(editor, whole)
      assert.equals(DRAFT, editor:lua('return vim.api.nvim_get_current_line()'))
    end)
  end

  it('by :tabclose opens in the tab page that is left', function()
    local editor = world:editor()
    editor:type(':tabnew<CR>')
    world:chat(editor)
    local whole = world:begin_story(editor, LINES)
    editor:type('GA' .. DRAFT .. '<Esc>:tabclose<CR>:SelfMind chat<CR>')
    in_chat(editor)
    whole_again(editor, whole)
  end)

  for _, keys in ipairs({ ':qa!<CR>', ':qa<CR>', ':wqa<CR>', ':q<CR>:q<CR>' }) do
    it(('by %s has what had come, marked so, and the draft in the next Neovim'):format(keys), function()
      local editor, whole = mid_stream()
      local text = shown(editor):match('^(.-)\n\n[^\n]*$')
      editor:send('nvim_input', keys)
      editor:wait_exit()
      assert.equals(0, editor.exited.code)
      local second = world:editor()
      world:chat(second)
      world:read(second, DRAFT)
      second:see('Stopped')
      local kept = shown(second):match('^(.-)\n\n[^\n]*$')
      assert.equals(vim.trim(text), kept:sub(1, #vim.trim(text)))
      assert.equals(kept, whole:sub(1, #kept))
      assert.equals(DRAFT, second:lua('return vim.api.nvim_get_current_line()'))
      assert.same({}, world:errors(second))
    end)
  end

  it('by a session has its window, what had come and the draft when that is restored', function()
    local editor, whole = mid_stream()
    local session = world.root .. '/session.vim'
    editor:type(':mksession ' .. session .. '<CR>')
    assert.same({}, world:errors(editor))
    editor:quit()
    local second = world:editor({ commands = { 'silent source ' .. session } })
    second:see('Stopped')
    second:see(DRAFT)
    second:type('<C-w>l')
    in_chat(second)
    assert.equals(2, second:lua('return #vim.api.nvim_list_wins()'))
    assert.equals(DRAFT, second:lua('return vim.api.nvim_get_current_line()'))
    local kept = shown(second):match('^(.-)\n\n[^\n]*$')
    assert.equals(kept, whole:sub(1, #kept))
    assert.same({}, world:errors(second))
    world:say(second, ' and sent')
    world:read(second, 'You said: ' .. DRAFT .. ' and sent')
  end)

  it('and shown again with :e has all that has come, the draft, and gets the rest', function()
    local editor, whole = mid_stream()
    editor:type(':e<CR>')
    editor:wait('the chat again', function()
      return shown(editor):find('line 20 of the story told', 1, true)
    end)
    assert.is_true(world:busy(editor))
    whole_again(editor, whole)
  end)

  it('of two folders in two tab pages comes back in a session with its own folder each', function()
    local editor = world:editor()
    local other = world:project('other')
    world:chat(editor)
    editor:type('GAhere<Esc>:tabnew<CR>:tcd ' .. other .. '<CR>')
    world:chat(editor)
    world:begin_story(editor, LINES)
    editor:type('GA' .. DRAFT .. '<Esc>')
    local session = world.root .. '/session.vim'
    editor:type('gt:mksession ' .. session .. '<CR>')
    editor:quit()
    local second = world:editor({ project = 'third', commands = { 'silent source ' .. session } })
    second:see('here')
    second:type('gt<C-w>l')
    in_chat(second)
    second:see(DRAFT)
    second:type('GS/remember The port of the other is 4711.<Esc><CR>')
    second:see('remembered 1')
    assert.equals(1, #world:memories('--project', other))
    assert.equals(0, #world:memories())
    assert.same({}, world:errors(second))
  end)

  it('from the middle of its text opens at the same lines, and from the middle of a draft at the same place', function()
    local editor, whole = mid_stream()
    local function place()
      return editor:lua([[
        vim.cmd('redraw')
        return { vim.fn.line('w0'), vim.api.nvim_win_get_cursor(0) }
      ]])
    end
    editor:type('gg<C-e><C-e>4j')
    local before = place()
    editor:type(':q<CR>:SelfMind chat<CR>')
    in_chat(editor)
    assert.same(before, place())
    editor:wait('the end of the reply', function()
      return not world:busy(editor)
    end)
    assert.same(before, place())
    editor:type('G0fd')
    before = place()
    editor:type(':SelfMind toggle<CR>:SelfMind toggle<CR>')
    in_chat(editor)
    assert.same(before, place())
    whole_again(editor, whole)
  end)
end)

describe('names that mean something to Neovim', function()
  it('are a folder and a file like any other', function()
    local world = World.new()
    local folder = 'a [b] (c) %d #e $f'
    local path = world:project(folder) .. '/f [1] (2) % #.txt'
    vim.fn.writefile({ 'The port of staging is 5433.' }, path)
    local editor = world:editor({ project = folder, columns = 120 })
    editor:lua("vim.cmd.edit(vim.fn.fnameescape(...))", path)
    editor:type('V:Remember<CR>')
    editor:see('remembered 1')
    world:chat(editor)
    editor:see(folder)
    local whole = world:begin_story(editor, LINES)
    editor:type('GA' .. DRAFT .. '<Esc>:q<CR>:SelfMind chat<CR>')
    editor:wait('the whole reply and the draft', function()
      return not world:busy(editor) and world:text(editor):find(whole .. '\n\n' .. DRAFT, 1, true)
    end)
    editor:type(':Memories<CR>')
    editor:see('port of staging')
    local session = world.root .. '/session.vim'
    editor:type(':mksession ' .. session .. '<CR>')
    assert.same({}, world:errors(editor))
    editor:quit()

    local second = world:editor({ project = 'plain', columns = 120, commands = { 'silent source ' .. session } })
    second:see(DRAFT)
    second:see(folder)
    second:type(':tabnew<CR>:SelfMind new<CR>')
    second:wait('a new chat', function()
      return second:lua('return vim.bo.filetype') == 'selfmind' and not world:text(second):find(DRAFT, 1, true)
    end)
    world:say(second, 'Which port has staging?')
    world:read(second, '5433')
    assert.same({}, world:errors(second))
    world:close()
  end)
end)
