-- Every model of the table and every server that speaks the Messages API: ten turns with learning, and no request is
-- refused but the one that teaches a field the server does not have.
local World = require('support.world')
local host = require('support.host')
local server = require('support.server')

local MODELS = {
  'claude-fable-5-2',
  'claude-fable-5-1',
  'claude-fable-5',
  'claude-mythos-5-2',
  'claude-mythos-5-1',
  'claude-mythos-5',
  'claude-mythos-preview',
  'claude-opus-5-5',
  'claude-opus-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-opus-4-6',
  'claude-opus-4-5-20251101',
  'claude-sonnet-5-5',
  'claude-sonnet-5',
  'claude-sonnet-4-6',
  'claude-sonnet-4-5-20250929',
  'claude-haiku-5-5',
  'claude-haiku-4-5-20251001',
}

-- How many fields each server teaches a client that takes it for the API itself.
local SERVERS = {
  { name = 'llama.cpp', model = 'qwen3:8b', taught = 0 },
  { name = 'ollama', model = 'gpt-oss:20b', taught = 0 },
  { name = 'vllm', model = 'Qwen/Qwen3-8B', taught = 1 }, -- how small its context is
  { name = 'lmstudio', model = 'qwen/qwen3-8b', taught = 0 },
  { name = 'minimax', model = 'MiniMax-M2', taught = 0 },
  { name = 'litellm', model = 'claude-opus-4-8', taught = 0 },
  { name = 'openrouter', model = 'anthropic/claude-sonnet-5-5', taught = 0 },
  { name = 'bedrock', model = 'anthropic.claude-haiku-5-5', taught = 0 },
  -- A local server whose model has the name of one of the API's is sent what that one takes, and ignores it.
  { name = 'llama.cpp', model = 'claude-opus-4-8', taught = 0 },
  { name = 'vllm', model = 'claude-opus-5-5', taught = 1 },
  -- thinking, output_config and cache_control; `system` is no list any more when there is no breakpoint to set on it. A
  -- model that thinks unasked teaches also that its thoughts must not go back.
  { name = 'old-anthropic', model = 'claude-opus-4-8', taught = 3 },
  { name = 'old-openai', model = 'claude-sonnet-5-5', taught = 4 },
  { name = 'old-pydantic', model = 'claude-haiku-4-5', taught = 3 },
  { name = 'plain-system', model = 'claude-opus-5-5', taught = 1 },
}

local TURNS = {
  'My staging database listens on port 5433.',
  'Which port was that?',
  'I prefer tabs over spaces.',
  'How do I indent a block of lines?',
  'My deployment branch is named harvest.',
  'What is a rebase?',
  'Please remember that the build server is called heron.',
  'What does the linker do?',
  'I use ninja for builds.',
  'Thanks, what should I do next?',
}
local LEARNED = 5 -- of these turns have something to learn

local function refused(world)
  return vim.tbl_filter(function(request)
    return request.answered ~= 200
  end, world.server:requests())
end

---Ten turns, then a question in a new chat that only a memory can answer.
local function ten_turns(world, settings)
  local process = host.start({ env = world.env, cwd = world:project('project'), settings = settings })
  local folder = world:project('project')
  local chat = process:call('chat.open', { folder = folder, fresh = true }).chat
  for _, text in ipairs(TURNS) do
    local reply = process:say(chat, text)
    assert.equals('done', reply.state, reply.notice)
    assert.truthy(reply.text:find('You said: ', 1, true), text .. ' → ' .. reply.text)
  end
  process:wait('everything to be learned', function()
    local count = 0
    for _, event in ipairs(process.events) do
      count = count + (event.name == 'learn/done' and #event.payload.stored or 0)
    end
    return count == LEARNED
  end)
  local reply
  local tries = 0
  repeat -- on a busy machine recall may miss its deadline, and says so
    local other = process:call('chat.open', { folder = folder, fresh = true }).chat
    reply = process:say(other, 'On which port does the staging database listen?')
    tries = tries + 1
  until not reply.late or tries == 10
  assert.truthy(reply.text:find('port 5433', 1, true), reply.text)
  process:stop()
  for _, event in ipairs(process.events) do
    assert.not_equals('learn/failed', event.name)
  end
end

---Each field once, if at all.
local function assert_taught(world, count)
  local list, seen = refused(world), {}
  for _, request in ipairs(list) do
    assert.is_nil(seen[request.why], 'refused twice: ' .. request.why)
    seen[request.why] = true
  end
  assert.equals(count, #list, vim.inspect(vim.tbl_keys(seen)))
end

describe('a chat of ten turns with learning', function()
  local world

  after_each(function()
    world:close()
  end)

  for _, model in ipairs(MODELS) do
    it('has no request refused with ' .. model, function()
      world = World.new()
      ten_turns(world, { chat_model = model, memory_model = model })
      assert_taught(world, 0)
      local asked = vim.tbl_filter(function(line)
        return line.model ~= nil
      end, world.server:heard())
      assert.equals(1, #asked)
      assert.equals(model, asked[1].model)
    end)
  end

  for _, case in ipairs(SERVERS) do
    it(('is refused %d fields, once each, by %s with %s'):format(case.taught, case.name, case.model), function()
      world = World.new({ server = { args = { '--server', case.name } } })
      ten_turns(world, { chat_model = case.model, memory_model = case.model })
      assert_taught(world, case.taught)
    end)
  end

  it('takes one model for the chat and another for learning', function()
    world = World.new()
    ten_turns(world, { chat_model = 'claude-opus-5-5', memory_model = 'claude-haiku-4-5' })
    assert_taught(world, 0)
  end)

  for _, case in ipairs({
    { server = 'anthropic', model = 'claude-opus-4-8' },
    { server = 'anthropic', model = 'claude-haiku-4-5' },
    { server = 'ollama', model = 'qwen3:8b' },
    { server = 'old-pydantic', model = 'claude-sonnet-5-5', taught = 4 },
  }) do
    it(('works in Neovim, with %s of %s'):format(case.model, case.server), function()
      world = World.new({ server = { args = { '--server', case.server } } })
      world.env.SELFMIND_CHAT_MODEL, world.env.SELFMIND_MEMORY_MODEL = case.model, case.model
      local editor = world:editor()
      world:chat(editor)
      for i, text in ipairs(TURNS) do
        world:say(editor, text)
        editor:wait('the end of reply ' .. i, function()
          return not world:busy(editor) and #world.server:requests() >= i
        end)
      end
      editor:wait('everything to be learned', function()
        return #world:memories() == LEARNED
      end)
      assert.falsy(world:text(editor):find('did not accept', 1, true))
      assert_taught(world, case.taught or 0)
      editor:quit()
    end)
  end
end)

describe('what a server says of its model', function()
  local world

  after_each(function()
    world:close()
  end)

  local function open(model)
    local process = host.start({
      env = world.env,
      cwd = world:project('project'),
      settings = { chat_model = model, learning = 'off' },
    })
    return process, process:call('chat.open', { folder = world:project('project'), fresh = true }).chat
  end

  it('is asked for with the key and holds from the next request on', function()
    world = World.new({ server = { args = { '--key', 'test-key' } } })
    world.server:next({
      match = { kind = 'model' },
      status = 200,
      body = {
        id = 'claude-opus-4-8',
        max_tokens = 2000,
        capabilities = { thinking = { supported = true, types = { adaptive = { supported = false } } } },
      },
    })
    local process, chat = open('claude-opus-4-8')
    assert.equals(0, #world.server:heard())
    process:say(chat, 'One')
    local asked = process:wait('the question about the model', function()
      return vim.iter(world.server:heard()):find(function(line)
        return line.model == 'claude-opus-4-8'
      end)
    end)
    assert.equals(200, asked.answered)
    process:say(chat, 'Two')
    process:say(chat, 'Three')
    process:stop()
    local requests = world.server:requests()
    assert.equals(16000, requests[1].body.max_tokens)
    assert.equals('adaptive', requests[1].body.thinking.type)
    assert.equals(2000, requests[3].body.max_tokens)
    assert.is_nil(requests[3].body.thinking)
    assert.equals(4, #world.server:heard())
  end)

  it('is not waited for', function()
    world = World.new()
    world.server:next({ match = { kind = 'model' }, hang = true })
    local process, chat = open('claude-opus-4-8')
    assert.equals('done', process:say(chat, 'One').state)
    assert.equals('done', process:say(chat, 'Two').state)
    process:stop()
    assert_taught(world, 0)
  end)
end)

describe('thinking blocks that another server gave', function()
  for _, model in ipairs({ 'claude-opus-4-8', 'claude-fable-5-2' }) do
    it(('are refused once, and those of the new one go back, with %s'):format(model), function()
      local world = World.new()
      local folder = world:project('project')
      local function say(...)
        local process = host.start({
          env = world.env,
          cwd = folder,
          settings = { chat_model = model, learning = 'off' },
        })
        local chat = process:call('chat.open', { folder = folder }).chat
        for _, text in ipairs({ ... }) do
          assert.equals('done', process:say(chat, text).state)
        end
        process:stop()
      end
      say('One', 'Two')
      assert_taught(world, 0)
      world.server:stop()
      world.server = server.start()
      world.env.ANTHROPIC_BASE_URL = world.server.url
      say('Three', 'Four', 'Five')
      assert_taught(world, 1)
      local sent = world.server:requests()
      local messages = sent[#sent].body.messages
      local kinds = {}
      for _, message in ipairs(messages) do
        if message.role == 'assistant' then
          kinds[#kinds + 1] = message.content[1].type
        end
      end
      assert.same({ 'text', 'text', 'thinking', 'thinking' }, kinds)
      world:close()
    end)
  end
end)

describe('a server that tells no error in its stream', function()
  it('leaves a reply that broke off, marked so', function()
    local world = World.new({ server = { args = { '--server', 'ollama' } } })
    world.server:next({ after_text = 'The tide tables', error_event = { type = 'api_error', message = 'x' } })
    local process = host.start({
      env = world.env,
      cwd = world:project('project'),
      settings = { chat_model = 'qwen3:8b', learning = 'off' },
    })
    local chat = process:call('chat.open', { folder = world:project('project'), fresh = true }).chat
    local reply = process:say(chat, 'One')
    assert.equals('interrupted', reply.state)
    assert.equals('The tide tables', reply.text)
    assert.truthy(reply.notice:find('ended in the middle', 1, true))
    assert.equals('done', process:say(chat, 'Two').state)
    process:stop()
    world:close()
  end)
end)
