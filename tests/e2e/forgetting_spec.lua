-- Forgetting, with the real host: a chat that is deleted is gone from the files, and what was forgotten does not come
-- back.
local World = require('support.world')

-- Whether the words stand in any of the store's files.
local function stored(world, words)
  for name, kind in vim.fs.dir(world.root .. '/data/selfmind') do
    if kind == 'file' then
      local file = assert(io.open(world.root .. '/data/selfmind/' .. name, 'rb'))
      local bytes = file:read('*a')
      file:close()
      if bytes:find(words, 1, true) then
        return true
      end
    end
  end
  return false
end

describe('what was forgotten', function()
  local world

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  it('goes with its chat, whose buffer closes, and the next chat knows nothing of it', function()
    local editor = world:editor({ columns = 120 })
    world:chat(editor)
    world:say(editor, 'By the way, the staging database listens on port 5433.')
    editor:see('learned')
    assert.is_true(stored(world, '5433'))
    editor:lua('vim.fn.confirm = function(text) _G.question = text return 2 end')
    editor:command('SelfMind delete chat')
    editor:see('deleted 1 chat, 2 messages and replies, and forgot 1 memories; 0 kept')
    assert.truthy(editor:lua('return _G.question'):find('5433', 1, true))
    assert.not_equals('selfmind', editor:lua('return vim.bo.filetype'))
    assert.same({}, world:memories('--all'))
    assert.is_false(stored(world, '5433'))
    world:chat(editor)
    assert.is_nil(world:text(editor):find('5433', 1, true))
    editor:quit()
  end)

  it('is not sent where another Neovim still shows the chat', function()
    local first = world:editor({ columns = 120 })
    world:chat(first)
    world:say(first, 'Hello there.')
    first:wait('the reply', function()
      return not world:busy(first)
    end)
    local second = world:editor({ columns = 120 })
    world:chat(second)
    first:lua('vim.fn.confirm = function() return 1 end')
    first:command('SelfMind delete chat')
    first:see('deleted 1 chat')
    world:say(second, 'Are you still there?')
    second:see('There is no chat 1')
    assert.truthy(world:text(second):find('Are you still there?', 1, true))
    assert.is_false(stored(world, 'still there'))
    first:quit()
  end)
end)
