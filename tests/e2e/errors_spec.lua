-- What goes wrong at the server is one line in the chat, and the next message works.
local World = require('support.world')

describe('when the server', function()
  local world, editor

  before_each(function()
    world = World.new()
    editor = world:editor({ columns = 400 }) -- wide: no sentence is wrapped
    world:chat(editor)
  end)

  after_each(function()
    world:close()
  end)

  ---@param entry table what the server does with the first message
  ---@param line string what the chat says, in part
  ---@param tries? integer how often it does so, until the chat gives up
  local function goes_on_after(entry, line, tries)
    tries = tries or 1
    for _ = 1, tries do
      world.server:next(entry)
    end
    world:say(editor, 'first message')
    editor:see(line)
    assert.is_true(editor:lua('return vim.bo.modifiable'))
    editor:wait('the end of the turn', function()
      return not world:busy(editor)
    end)
    world:say(editor, 'second message')
    world:read(editor, 'second message')
    editor:wait('the second reply', function()
      return world:text(editor):find('You said: .-second message') and not world:busy(editor)
    end)
    local requests = world.server:requests('chat')
    assert.equals(tries + 1, #requests)
    assert.equals(200, requests[tries + 1].answered)
  end

  it('refuses the key', function()
    goes_on_after({
      status = 401,
      body = { type = 'error', error = { type = 'authentication_error', message = 'invalid x-api-key' } },
    }, 'ANTHROPIC_API_KEY')
  end)

  local wants_a_pause = {
    status = 429,
    headers = { ['retry-after'] = '500' },
    body = { type = 'error', error = { type = 'rate_limit_error', message = 'Too many requests' } },
  }

  it('wants a pause, the chat counts down, and a key cuts it short', function()
    world.server:next(wants_a_pause)
    world:say(editor, 'first message')
    editor:see('again in 500 s')
    editor:see('again in 499 s')
    assert.is_true(world:busy(editor))
    editor:type('<C-\\><C-n>gR')
    world:read(editor, 'You said: first message')
    assert.is_nil(editor:screen():find('again in', 1, true))
    assert.equals(2, #world.server:requests('chat'))
  end)

  it('wants a pause, and the user stops waiting', function()
    world.server:next(wants_a_pause)
    world:say(editor, 'first message')
    editor:see('again in 500 s')
    editor:type('<C-\\><C-n><C-c>')
    editor:see('Stopped')
    assert.equals(1, #world.server:requests('chat'))
    editor:type('gR')
    world:read(editor, 'You said: first message')
  end)

  it('has no room for a moment, and the request is sent again by itself', function()
    world.server:next({
      status = 529,
      headers = { ['retry-after-ms'] = '20' },
      body = { type = 'error', error = { type = 'overloaded_error', message = 'Overloaded' } },
    })
    world:say(editor, 'first message')
    world:read(editor, 'You said: first message')
    assert.equals(2, #world.server:requests('chat'))
    local requests = world.server:requests('chat')
    assert.same(requests[1].body, requests[2].body)
  end)

  it('is overloaded all the time', function()
    goes_on_after({
      status = 529,
      body = { type = 'error', error = { type = 'overloaded_error', message = 'Overloaded' } },
    }, 'overloaded (529): "Overloaded"; send again', 3)
  end)

  it('breaks off with an error event, what had come stays', function()
    goes_on_after({
      after_text = 'The tide tables say',
      error_event = { type = 'overloaded_error', message = 'Overloaded' },
    }, 'overloaded')
    assert.truthy(world:text(editor):find('The tide tables say', 1, true))
  end)

  it('sends half an event and goes', function()
    goes_on_after({ text = 'This is cut somewhere in the middle of it.', cut_after_bytes = 1000 }, 'broke off')
    assert.truthy(world:text(editor):find('This is', 1, true))
  end)

  it('closes the connection without a word', function()
    -- Two retries, and one request goes twice: over a connection that was kept from before, and over a new one.
    goes_on_after({ close = true }, 'broke off; send again', 4)
  end)

  it('does not answer at all, and the user stops it', function()
    world.server:next({ hang = true })
    world:say(editor, 'first message')
    editor:wait('the request', function()
      return #world.server:requests('chat') == 1
    end)
    editor:type('<C-\\><C-n><C-c>')
    editor:see('Stopped')
    world:say(editor, 'second message')
    world:read(editor, 'You said: ')
  end)

  it('is not there', function()
    world.server:stop()
    world:say(editor, 'first message')
    editor:see('127.0.0.1')
    assert.is_true(editor:lua('return vim.bo.modifiable'))
  end)

  it('fails while a turn is learned from: one quiet line, nothing lost', function()
    world.server:next(
      { match = { kind = 'chat' } },
      {
        match = { kind = 'learn' },
        status = 500,
        body = { type = 'error', error = { type = 'api_error', message = 'x' } },
      }
    )
    world:say(editor, 'My port is 5433.')
    editor:see('Not learned from yet')
    assert.equals(1, vim.json.decode(world:host('stats', '--json').stdout).queue)
    world:say(editor, 'And my user is admin.')
    editor:wait('both to be learned', function()
      return #world:memories() == 2
    end)
    assert.equals(0, vim.json.decode(world:host('stats', '--json').stdout).queue)
  end)
end)
