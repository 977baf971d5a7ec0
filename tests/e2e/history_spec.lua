-- What was learned in a chat, its history, and taking it back, with the real host: across a restart, and never learned
-- from the same message again.
local World = require('support.world')

describe('what was learned', function()
  local world

  before_each(function()
    world = World.new()
  end)

  after_each(function()
    world:close()
  end)

  it('leads to the words it was made of, and is rolled back with its chat after a restart', function()
    local first = world:editor({ columns = 120 })
    world:chat(first)
    world:say(first, 'By the way, the staging database listens on port 5433.')
    first:see('learned')
    first:command('SelfMind history 1')
    first:see('add by learn')
    first:see('said in chat 1')
    first:quit()

    local second = world:editor({ columns = 120 })
    second:command('Remember The user likes tea.')
    second:see('remembered 2')
    second:lua('vim.fn.confirm = function() return 1 end')
    second:command('SelfMind rollback chat 1')
    second:see('taken back: 1; nothing is learned from there again')
    local left = world:memories()
    assert.equals(1, #left)
    assert.equals('The user likes tea.', left[1].text)
    second:command('SelfMind asof 2001-01-01')
    second:see('nothing was known then')

    -- What the rollback took back stands again when it is undone, in a third editor's list too.
    second:command('SelfMind undo')
    second:see('taken back, rollback by user')
    assert.equals(2, #world:memories())
    second:command('SelfMind undo')
    second:see('taken back, add by user')
    assert.equals(1, #world:memories())
    second:command('SelfMind day')
    second:see('chat 1  you')
    second:quit()
  end)

  it('waits to be accepted where the user wants to review it', function()
    local editor = world:editor({ columns = 120, settings = '{ learning = "review" }' })
    world:chat(editor)
    world:say(editor, 'By the way, the staging database listens on port 5433.')
    editor:see('to review')
    assert.equals(0, #world:memories())
    for _, hit in ipairs(vim.json.decode(world:host('recall', 'staging port', '--json').stdout)) do
      assert.equals('turn', hit.source)
    end
    editor:command('SelfMind review')
    editor:see('a accept')
    editor:type('a')
    editor:see('accepted 1')
    assert.equals(1, #world:memories())
    editor:quit()
  end)
end)
