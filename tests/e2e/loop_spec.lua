-- The product's main job: tell, quit, recall.
local World = require('support.world')

describe('the loop', function()
  local world

  after_each(function()
    world:close()
  end)

  it('recalls in a new Neovim what was told in an ordinary message of the first', function()
    world = World.new()
    local first = world:editor()
    world:chat(first)
    world:say(first, 'My staging database listens on port 5433.')
    world:read(first, 'You said: My staging database')
    first:see('learned')
    assert.equals(1, #world:memories())
    assert.equals(2, #world.server:requests())
    first:quit()

    local second = world:editor()
    world:chat(second, 'new')
    world:say(second, 'On which port does staging listen?')
    world:read(second, 'From what I remember')
    local request = world.server:requests('chat')[2]
    local blocks = request.body.messages[1].content
    assert.equals(2, #blocks)
    assert.truthy(blocks[1].text:find("The user's staging database listens on port 5433.", 1, true))
    assert.equals('On which port does staging listen?', blocks[2].text)
    second:see('1 memory recalled')
  end)

  it('sends each request up to its newest turn as a byte prefix of the next', function()
    world = World.new({ server = { args = { '--think', '1' } } })
    local editor = world:editor()
    world:host('remember', 'The user prefers tabs over spaces.')
    world:host('remember', 'The release is on Friday.')
    world:chat(editor)
    for i, text in ipairs({ 'Do I like tabs?', 'And spaces, "quoted" \\ too?', 'When is the release?' }) do
      world:say(editor, text)
      editor:wait('the end of reply ' .. i, function()
        return not world:busy(editor)
      end)
    end
    local sent = world.server:requests('chat')
    assert.equals(3, #sent)
    for i = 1, 2 do
      local bytes = sent[i].raw:gsub(',"cache_control":{"type":"ephemeral"}', '')
      local following = sent[i + 1].raw:gsub(',"cache_control":{"type":"ephemeral"}', '')
      local newest = bytes:gsub('%]%}%]%}$', '')
      assert.not_equals(bytes, newest)
      assert.equals(newest, following:sub(1, #newest))
      assert.equals(200, sent[i + 1].answered)
    end
  end)

  it('learns nothing twice from what was said twice', function()
    world = World.new()
    local editor = world:editor()
    world:chat(editor)
    for _ = 1, 2 do
      world:say(editor, 'I prefer tabs over spaces.')
      editor:wait('the reply', function()
        return not world:busy(editor)
      end)
    end
    editor:wait('the learn queue to be empty', function()
      return vim.json.decode(world:host('stats', '--json').stdout).queue == 0
    end)
    assert.equals(1, #world:memories())
  end)

  it('never shows the memory of another project, in a request or a list', function()
    world = World.new()
    local here, there = world:project('here'), world:project('there')
    world:host('remember', '--project', there, 'The secret port is 1111.')
    world:host('remember', '--project', here, 'The known port is 2222.')
    local editor = world:editor({ project = 'here' })
    world:chat(editor)
    world:say(editor, 'Which port, the secret port or the known port?')
    world:read(editor, 'From what I remember')
    local raw = world.server:requests('chat')[1].raw
    assert.truthy(raw:find('2222', 1, true))
    assert.falsy(raw:find('1111', 1, true))
    editor:command('Memories')
    editor:see('2222')
    assert.falsy(editor:screen():find('1111', 1, true))
    assert.equals(1, #vim.json.decode(world:host('memories', '--json', '--project', here).stdout))
  end)
end)

describe('offline', function()
  local world

  after_each(function()
    world:close()
  end)

  it('answers from memory alone, says so, and sends the message when there is a key', function()
    world = World.new()
    local key = world.env.ANTHROPIC_API_KEY
    local url = world.env.ANTHROPIC_BASE_URL
    world.env.ANTHROPIC_API_KEY, world.env.ANTHROPIC_BASE_URL = nil, nil
    -- What is learned by rule would stand for the words themselves, once it is.
    local first = world:editor({ settings = '{ learning = "off" }' })
    world:chat(first)
    world:say(first, 'The staging database listens on port 5433.')
    first:see('from memory')
    first:quit()
    local second = world:editor()
    world:chat(second, 'new')
    world:say(second, 'Which port has staging?')
    world:read(second, 'You said on')
    world:read(second, 'port 5433')
    second:see('ANTHROPIC_API_KEY')
    second:quit()
    assert.equals(0, #world.server:requests())

    world.env.ANTHROPIC_API_KEY, world.env.ANTHROPIC_BASE_URL = key, url
    local third = world:editor()
    world:chat(third)
    world:read(third, 'Which port has staging?')
    third:type('<C-\\><C-n>gR')
    world:read(third, 'From what I remember')
    for _, message in ipairs(world.server:requests('chat')[1].body.messages) do
      assert.equals('user', message.role)
    end
  end)

  it('lets every command on memories work', function()
    world = World.new({ offline = true })
    local editor = world:editor()
    editor:command('Remember The user prefers tabs over spaces.')
    editor:see('remembered 1')
    editor:command('Remember the user prefers tabs over spaces')
    editor:see('already known')
    editor:command('Memories')
    editor:see('tabs over spaces')
    editor:command('Forget! 1')
    editor:wait('the memory to go', function()
      return #world:memories() == 0
    end)
  end)
end)
