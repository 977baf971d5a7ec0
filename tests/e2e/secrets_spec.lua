-- Secrets: Claude is told, the disk is not.
local World = require('support.world')

-- Made up, and put together here so that nothing in this file looks like a key to a scanner.
local TOKEN = 'gh' .. 'p_a8Kf02Lq9Zx7Wm3Rt5Yb1Nc4Vd6'

---@return string[] the kinds of all blocks that replies in this request have
local function reply_blocks(request)
  local kinds = {}
  for _, message in ipairs(request.body.messages) do
    for _, block in ipairs(message.role == 'assistant' and message.content or {}) do
      kinds[#kinds + 1] = block.type
    end
  end
  return kinds
end

describe('a secret', function()
  local world

  after_each(function()
    world:close()
  end)

  local function answered(editor, count)
    editor:wait('reply ' .. count, function()
      return not world:busy(editor) and #world.server:requests('chat') == count
    end)
  end

  ---@param reply? string to the message with the secret; nil: it repeats the message
  local function tell_and_go_on(reply)
    world = World.new({ server = { args = { '--think', '1' } } })
    local editor = world:editor()
    world:chat(editor)
    world:say(editor, 'I prefer tabs over spaces.')
    answered(editor, 1)
    if reply then
      world.server:next({ match = { kind = 'chat' }, text = reply })
    end
    world:say(editor, 'Does ' .. TOKEN .. ' still work on port 5433?')
    editor:see('Kept out of the log: 1 GitHub token.')
    answered(editor, 2)
    world:say(editor, 'And which port was it?')
    answered(editor, 3)

    local sent = world.server:requests('chat')
    assert.truthy(sent[2].raw:find(TOKEN, 1, true))
    assert.same({ 'thinking', 'text' }, reply_blocks(sent[2]))
    assert.falsy(sent[3].raw:find(TOKEN, 1, true))
    assert.truthy(sent[3].raw:find('Does [secret: GitHub token] still work on port 5433?', 1, true))
    assert.same({ 'text', 'text' }, reply_blocks(sent[3]))
    for _, request in ipairs(sent) do
      assert.equals(200, request.answered)
    end

    editor:wait('the learn queue to be empty', function()
      return vim.json.decode(world:host('stats', '--json').stdout).queue == 0
    end)
    for _, request in ipairs(world.server:requests('learn')) do
      assert.falsy(request.raw:find(TOKEN, 1, true))
    end
    editor:quit()
    assert.truthy(world:holder('still work on port 5433'))
    assert.is_nil(world:holder(TOKEN))
    local again = world:editor()
    world:chat(again)
    world:read(again, '[secret: GitHub token]')
    world:say(again, 'Thanks.')
    answered(again, 4)
    assert.equals(200, world.server:requests('chat')[4].answered)
  end

  it('is sent to Claude and is in no file, and the next request goes without the thoughts about it', function()
    tell_and_go_on('Yes, it does.')
  end)

  it('that the reply repeats is in no file either', function()
    tell_and_go_on()
  end)

  it('that is typed and not sent is not in the draft on disk', function()
    world = World.new()
    local first = world:editor()
    world:chat(first)
    first:type('A' .. 'my password is tiger77, and the port 5433<Esc>')
    first:quit()
    local second = world:editor()
    world:chat(second)
    world:read(second, 'my password is [secret: password], and the port 5433')
    assert.is_nil(world:holder('tiger77'))
  end)

  it('is kept out of a memory, on the command line and in the editor, and out of the command history', function()
    world = World.new({ offline = true })
    local done = world:host('remember', '--json', 'The password of staging is tiger77.')
    assert.equals('1 password', vim.json.decode(done.stdout).kept_out)
    assert.truthy(done.stderr:find('kept out of the memory: 1 password', 1, true))
    local editor = world:editor()
    editor:type(':Remember the deploy token is ' .. TOKEN .. '<CR>')
    editor:see('kept out 1 GitHub token')
    assert.equals('The password of staging is [secret: password].', world:memories()[1].text)
    assert.equals('the deploy token is [secret: GitHub token]', world:memories()[2].text)
    assert.is_nil(world:holder(TOKEN))
    assert.is_nil(world:holder('tiger77'))
    assert.falsy(editor:lua("return vim.fn.execute('history cmd')"):find(TOKEN, 1, true))
  end)

  it('may be a pattern of the user, or a private part', function()
    world = World.new()
    local editor = world:editor({ settings = '{ secrets = { patterns = { "ACME-*" } } }' })
    world:chat(editor)
    world:say(editor, 'For ACME-1234, <private>she is ill</private> the port is 5433.')
    editor:see('Kept out of the log: 1 own pattern')
    answered(editor, 1)
    assert.truthy(world.server:requests('chat')[1].raw:find('ACME-1234', 1, true))
    assert.truthy(world.server:requests('chat')[1].raw:find('she is ill', 1, true))
    editor:quit()
    assert.truthy(world:holder('For [secret: own pattern], [private] the port is 5433.'))
    assert.is_nil(world:holder('ACME-1234'))
    assert.is_nil(world:holder('she is ill'))
  end)

  it('with a pattern that cannot be used nothing starts, and it is said why', function()
    world = World.new()
    local editor = world:editor({ settings = '{ secrets = { patterns = { "x*" } } }' })
    editor:command('SelfMind chat')
    editor:see('needs at least 4')
  end)
end)
