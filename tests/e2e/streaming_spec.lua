-- What a reader sees and does while replies come: follow and leave, undo, fold, type, change colours; with keys, in a
-- Neovim with a screen, and the real host.
local World = require('support.world')

describe('while a reply comes', function()
  local world, editor

  before_each(function()
    world = World.new()
  end)

  -- A test in which Neovim reported an error has failed.
  after_each(function()
    local alive, errors = pcall(world.errors, world, editor)
    world:close()
    if alive then
      assert.same({}, errors)
    end
  end)

  ---@param opts? table of the editor
  ---@param lines integer of the reply
  ---@return string the whole reply
  local function mid_stream(lines, opts)
    editor = world:editor(opts)
    world:chat(editor)
    return world:begin_story(editor, lines)
  end

  ---@return string from the reply's first word to the line before the prompt
  local function reply()
    return world:text(editor):match('line 1 of.*') or ''
  end

  ---@param win integer
  ---@return { top: integer, bottom: integer, last: integer, cursor: integer[] }
  local function view(win)
    return editor:lua([[
      local win = ...
      return vim.api.nvim_win_call(win, function()
        vim.cmd('redraw')
        return {
          top = vim.fn.line('w0'), bottom = vim.fn.line('w$'), last = vim.fn.line('$'),
          cursor = vim.api.nvim_win_get_cursor(win),
        }
      end)
    ]], win)
  end

  local function window()
    return editor:lua('return vim.api.nvim_get_current_win()')
  end

  ---Waits until so many more lines have come.
  local function grow(count)
    local function lines()
      return editor:lua('return vim.fn.line("$")')
    end
    local before = lines()
    editor:wait('more of the reply', function()
      return lines() >= before + count
    end)
  end

  local function finished()
    editor:wait('the end of the reply', function()
      return not world:busy(editor)
    end)
  end

  it('one window follows and the other stays where it is read, until its reader comes back to the end', function()
    local whole = mid_stream(600, { lines = 40 })
    local follower = window()
    editor:type('<C-w>sgg<C-e>5j')
    local reader = window()
    local before = view(reader)
    grow(40)
    local after = view(reader)
    assert.same({ before.top, before.cursor }, { after.top, after.cursor })
    local seen = view(follower)
    assert.same({ seen.last, seen.last }, { seen.bottom, seen.cursor[1] })
    editor:type('G')
    grow(40)
    seen = view(reader)
    assert.same({ seen.last, seen.last }, { seen.bottom, seen.cursor[1] })
    editor:type('<C-w>j<C-u><C-u>') -- and now the other one leaves
    before = view(follower)
    assert.is_true(before.cursor[1] < before.last)
    grow(40)
    after = view(follower)
    assert.same({ before.top, before.cursor }, { after.top, after.cursor })
    seen = view(reader)
    assert.equals(seen.last, seen.bottom)
    finished()
    assert.equals(whole, vim.trim(reply()))
    assert.same({ before.top, before.cursor }, { view(follower).top, view(follower).cursor })
  end)

  it('a terminal that changes its size leaves a reader at the same lines, and the other window at the end', function()
    mid_stream(400, { lines = 40 })
    local follower = window()
    editor:type('<C-w>sgg')
    local reader = window()
    local before = view(reader)
    for _, size in ipairs({ { 60, 20 }, { 140, 50 }, { 80, 40 } }) do
      editor:request('nvim_ui_try_resize', size[1], size[2])
      grow(20)
      assert.same({ before.top, before.cursor }, { view(reader).top, view(reader).cursor })
      local seen = view(follower)
      assert.same({ seen.last, seen.last }, { seen.bottom, seen.cursor[1] })
    end
  end)

  it('u and <C-r> in the middle lose nothing that comes after them, and at the end take and bring back', function()
    local whole = mid_stream(400)
    editor:type('u<C-r>') -- before anything else comes
    assert.equals(reply(), whole:sub(1, #vim.trim(reply())) .. reply():match('%s*$'))
    grow(10)
    editor:type('uu') -- all of it
    assert.truthy(world:text(editor):find('Tell me a story.', 1, true))
    assert.equals('', reply())
    grow(10)
    editor:type('<C-r>') -- too late: more has come
    finished()
    local function shown()
      return vim.trim(world:text(editor):match('Tell me a story%.%s+(.*)') or '')
    end
    local rest = shown()
    assert.is_true(#rest < #whole)
    assert.equals(whole:sub(-#rest), rest)
    editor:type('u')
    assert.equals('', shown())
    editor:type('<C-r>')
    assert.equals(rest, shown())
    editor:type(':e<CR>')
    editor:wait('the whole reply', function()
      return shown() == whole
    end)
  end)

  it('undo takes a draft that is being typed and the reply in steps of their own, and redo brings both back', function()
    local whole = mid_stream(400)
    editor:type('GAmine ')
    for word in ('is a draft of many words'):gmatch('%S+') do
      editor:type(word .. ' ')
      grow(1)
    end
    editor:type('<Esc>')
    finished()
    local draft = 'mine is a draft of many words '
    local final = world:text(editor)
    assert.equals(whole .. '\n\n' .. draft, reply())
    local before, steps = { #whole, #draft }, 0
    repeat
      editor:type('u')
      local text = world:text(editor)
      local story = vim.trim(text:match('Tell me a story%.\n\n(.-)\n\n[^\n]*$') or '')
      local typed = text:match('mine[^\n]*$') or ''
      assert.equals(story, whole:sub(1, #story))
      assert.equals(typed, draft:sub(1, #typed))
      if #story ~= before[1] and #typed ~= before[2] then
        local took = 'one step took %d bytes of the reply and %d of the draft'
        error(took:format(before[1] - #story, before[2] - #typed))
      end
      before, steps = { #story, #typed }, steps + 1
    until #story == 0 or steps > 60
    assert.equals(0, before[1])
    for _ = 1, steps do
      editor:type('<C-r>')
    end
    assert.equals(final, world:text(editor))
  end)

  it('folds stay closed, also when the window is closed and opened again', function()
    mid_stream(400)
    editor:type('gg7Gzf5jzc')
    local function folds()
      return editor:lua('return { vim.fn.foldclosed(8), vim.fn.foldclosedend(8), vim.wo.foldenable }')
    end
    assert.same({ 7, 12, true }, folds())
    grow(20)
    assert.same({ 7, 12, true }, folds())
    editor:type(':q<CR>:SelfMind chat<CR>')
    editor:wait('the chat', function()
      return editor:lua('return vim.bo.filetype') == 'selfmind'
    end)
    assert.same({ 7, 12, true }, folds())
    finished()
    assert.same({ 7, 12, true }, folds())
  end)

  it('two chats of two folders in two tab pages come at once, each in its own buffer', function()
    editor = world:editor()
    world:chat(editor)
    local first = editor:lua('return vim.api.nvim_get_current_buf()')
    editor:type(':tabnew<CR>:tcd ' .. world:project('other') .. '<CR>')
    world:chat(editor)
    local second = editor:lua('return vim.api.nvim_get_current_buf()')
    assert.are_not.equal(first, second)
    local here = world:begin_story(editor, 300, 'here')
    editor:type('gt')
    local there = world:begin_story(editor, 300, 'there')
    for _ = 1, 3 do
      grow(20)
      editor:type('gt')
      grow(20)
    end
    for _, expected in ipairs({ { second, here }, { first, there } }) do
      editor:wait('the end of both', function()
        local text = editor:lua([[
          return table.concat(vim.api.nvim_buf_get_lines(..., 0, -1, false), '\n')
        ]], expected[1])
        return text:find(expected[2] .. '\n\n', 1, true)
      end)
    end
    local requests = world.server:requests('chat')
    assert.equals(2, #requests)
  end)

  it('a colourscheme that changes leaves every highlight of the chat defined', function()
    mid_stream(400)
    local function undefined()
      return editor:lua([[
        local missing = {}
        for name in pairs(require('selfmind.chat.labels').highlights) do
          if vim.tbl_isempty(vim.api.nvim_get_hl(0, { name = name })) then missing[#missing + 1] = name end
        end
        return missing
      ]])
    end
    for _, keys in ipairs({ ':colorscheme blue', ':set background=light', ':colorscheme default', ':hi clear' }) do
      editor:type(keys .. '<CR>')
      assert.same({}, undefined(), keys)
    end
    editor:type(':hi SelfMindUser guifg=#123456<CR>:colorscheme habamax<CR>')
    assert.same({}, undefined())
    finished()
  end)
end)

describe('a reply', function()
  local world

  after_each(function()
    world:close()
  end)

  ---@param pieces string[]
  ---@return string path of the events as a server writes them
  local function events_file(pieces)
    local message = {
      id = 'msg_pieces',
      type = 'message',
      role = 'assistant',
      model = 'claude-opus-4-8',
      content = vim.empty_dict(),
      stop_reason = vim.NIL,
      stop_sequence = vim.NIL,
      usage = { input_tokens = 1, output_tokens = 1 },
    }
    local events = {
      { type = 'message_start', message = message },
      { type = 'content_block_start', index = 0, content_block = { type = 'text', text = '' } },
    }
    for _, piece in ipairs(pieces) do
      events[#events + 1] = { type = 'content_block_delta', index = 0, delta = { type = 'text_delta', text = piece } }
    end
    vim.list_extend(events, {
      { type = 'content_block_stop', index = 0 },
      {
        type = 'message_delta',
        delta = { stop_reason = 'end_turn', stop_sequence = vim.NIL },
        usage = { output_tokens = 9 },
      },
      { type = 'message_stop' },
    })
    local lines = {}
    for _, event in ipairs(events) do
      local json = vim.json.encode(event):gsub('"content":{}', '"content":[]')
      lines[#lines + 1] = ('event: %s\ndata: %s\n\n'):format(event.type, json)
    end
    local path = world.root .. '/events'
    local file = assert(io.open(path, 'wb'))
    file:write(table.concat(lines))
    file:close()
    return path
  end

  ---@param text string
  ---@return string[] its codepoints, so that emoji and their joiners, letters and their accents come apart
  local function codepoints(text)
    local list = {}
    for _, at in ipairs(vim.str_utf_pos(text)) do
      list[#list + 1] = text:sub(at, at + vim.str_utf_end(text, at))
    end
    return list
  end

  -- Joined and coloured emoji, a flag, accents as letters of their own, wide ones, and those that go to the left.
  local UNICODE = '👩‍👩‍👧 🇯🇵 👋🏽 cafe\204\129 e\204\136\204\163 漢字かな 한국 עב z\205\159y.'

  for _, bytes in ipairs({ 1, 2, 3, 5, 7 }) do
    it(('in letters of all kinds is whole when it comes in pieces of %d bytes'):format(bytes), function()
      world = World.new()
      local editor = world:editor()
      world:chat(editor)
      world.server:next({
        match = { kind = 'chat' },
        events_file = events_file(codepoints(UNICODE)),
        chunk_bytes = bytes,
        chunk_ms = 1,
      })
      world:say(editor, 'Write in many letters.')
      editor:wait('the whole reply', function()
        local text = world:text(editor)
        local come = vim.trim(text:match('many letters%.\n\n([^\n]*)') or '')
        assert.equals(come, UNICODE:sub(1, #come))
        return come == UNICODE
      end)
      assert.falsy(editor:screen():find('\239\191\189'))
      assert.falsy(editor:screen():find('<%x%x>'))
      editor:see('漢')
      assert.same({}, world:errors(editor))
    end)
  end

  it('with fences inside fences is whole, and what follows them is no code', function()
    world = World.new()
    local editor = world:editor()
    world:chat(editor)
    local text = table.concat({
      'Write this:',
      '',
      '````markdown',
      '# Title',
      '```lua',
      'local x = 1',
      '```',
      'still markdown',
      '````',
      '',
      '- an item',
      '',
      '  ~~~sh',
      '  echo "```"',
      '  ~~~',
      '',
      'And a word after it.',
    }, '\n')
    world.server:next({ match = { kind = 'chat' }, text = text, chunk_ms = 5 })
    world:say(editor, 'Show me fences.')
    editor:wait('the end of the reply', function()
      return not world:busy(editor) and world:text(editor):find(text .. '\n\n', 1, true)
    end)
    editor:type('GAand I ask<Esc>')
    local function groups(pattern)
      return editor:lua([[
        local row = vim.fn.search(..., 'nw')
        return table.concat(vim.tbl_map(function(id)
          return vim.fn.synIDattr(id, 'name')
        end, vim.fn.synstack(row, 1)), ' ')
      ]], pattern)
    end
    assert.truthy(groups('still markdown'):find('Code', 1, true))
    assert.falsy(groups('And a word after'):find('Code', 1, true))
    assert.falsy(groups('and I ask'):find('Code', 1, true))
    world:say(editor, ' again')
    world:read(editor, 'You said: and I ask again')
    local said = world.server:requests('chat')[2].body.messages[2].content
    assert.equals(text, said[#said].text) -- behind what was thought
    assert.same({}, world:errors(editor))
  end)
end)

describe('a chat of 20,000 lines', function()
  it('opens at its end, follows, and is typed in', function()
    local world = World.new()
    local first = world:editor()
    world:chat(first)
    local lines = {}
    for i = 1, 20000 do
      lines[i] = ('row %d of it'):format(i)
    end
    world.server:next({ match = { kind = 'chat' }, text = table.concat(lines, '\n'), chunk_bytes = 65536 })
    world:say(first, 'Count.')
    first:wait('the long reply', function()
      return not world:busy(first) and first:lua('return vim.fn.line("$")') > 20000
    end)
    first:quit()

    local editor = world:editor()
    world:chat(editor)
    editor:wait('the end of it', function()
      return editor:screen():find('row 20000 of it', 1, true) and editor:screen():find('<CR> sends', 1, true)
    end)
    local whole = world:begin_story(editor, 200)
    editor:type('GAtyped meanwhile<Esc>')
    editor:wait('the end of the reply', function()
      return not world:busy(editor)
    end)
    local text = world:text(editor)
    assert.equals(table.concat(lines, '\n'), text:match('row 1 of.*row 20000 of it'))
    assert.truthy(text:find(whole .. '\n\ntyped meanwhile', 1, true))
    editor:see('typed meanwhile')
    editor:type('uuu')
    assert.falsy(world:text(editor):find('typed meanwhile', 1, true))
    editor:type('<C-r><C-r><C-r>')
    assert.equals(text, world:text(editor))
    assert.same({}, world:errors(editor))
    world:close()
  end)
end)
