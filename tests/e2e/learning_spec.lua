-- Learning is a guest: it may fail, or take for ever, and nobody waits for it.
local World = require('support.world')

local QUIT_MS = 2000 -- 60 were measured; the machine may be busy

describe('learning that takes a minute', function()
  local world

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  ---@return integer messages that are still to be learned from
  local function queue()
    return vim.json.decode(world:host('stats', '--json').stdout).queue
  end

  ---@return string[] what the plugin, or Neovim, has complained about
  local function complaints(editor)
    local text = editor:lua("return vim.api.nvim_exec2('messages', { output = true }).output")
    return vim.tbl_filter(function(line)
      return line:find('selfmind:', 1, true) ~= nil or line:find('E%d+:') ~= nil
    end, vim.split(text, '\n'))
  end

  local function say_and_read(editor, text)
    world:say(editor, text)
    world:read(editor, 'You said: ' .. text)
    editor:wait('the end of the turn', function()
      return not world:busy(editor)
    end)
  end

  it('delays no reply, no typing, no next message and no :qa, and what it was about is learned later', function()
    world.server:next({ match = { kind = 'learn' }, delay_ms = 60000 })
    local first = world:editor()
    world:chat(first)
    say_and_read(first, 'My staging database listens on port 5433.')
    first:wait('the learn request', function()
      return #world.server:requests('learn') == 1
    end)

    -- All of this happens while it hangs.
    first:type('<C-\\><C-n>GAtyped meanwhile')
    world:read(first, 'typed meanwhile')
    first:see('typed meanwhile')
    first:type('<C-u>')
    say_and_read(first, 'Is that a usual port?')
    say_and_read(first, 'My build cache is on a disk of its own.')
    assert.equals(1, #world.server:requests('learn'))
    assert.same({}, complaints(first))
    first:send('nvim_input', '<C-\\><C-n>:qa<CR>')
    local ms = first:wait_exit()
    assert.is_true(ms < QUIT_MS, ms .. ' ms')
    first:wait('the host to have given it back', function()
      return queue() == 3
    end)
    assert.same({}, world:memories())

    local second = world:editor()
    world:chat(second)
    world:read(second, 'My build cache is on a disk of its own.') -- the log has all of it
    say_and_read(second, 'Good morning!')
    second:wait('what was left to be learned from', function()
      return #world:memories() == 2
    end)
    local texts = vim.tbl_map(function(memory)
      return memory.text
    end, world:memories())
    table.sort(texts)
    assert.same(
      { "The user's build cache is on a disk of its own.", "The user's staging database listens on port 5433." },
      texts
    )
  end)
end)
