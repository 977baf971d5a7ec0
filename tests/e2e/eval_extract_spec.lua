-- `eval-extract --model` through the real program, against a server.
local World = require('support.world')

describe('eval-extract with a model', function()
  local world, file

  before_each(function()
    world = World.new()
    file = world.root .. '/set.jsonl'
    vim.fn.writefile({
      '{"id":"a","text":"I prefer tabs.","memories":[{"type":"preference","quote":"I prefer tabs."}]}',
      '{"id":"b","text":"Hello there!","memories":[]}',
      '{"id":"c","text":"Good morning!","memories":[]}',
    }, file)
  end)

  after_each(function()
    world:close()
  end)

  local ANSWER = vim.json.encode({
    memories = {
      { text = 'The user prefers tabs.', kind = 'preference', quote = 'I prefer tabs.', durability = 1, utility = 1 },
    },
  })

  it('says the cost first, asks for each message, and prints the figures', function()
    world.server:next({ match = { kind = 'learn' }, text = ANSWER })
    local done = world:host('eval-extract', '--json', '--model', 'claude-haiku-4-5', file)
    assert.equals(0, done.code)
    assert.truthy(done.stderr:find('^claude%-haiku%-4%-5 at http://127.0.0.1:%d+: 3 messages, about '))
    local figures = vim.json.decode(done.stdout)
    assert.equals(3, figures.n)
    assert.equals(1, figures.texts.recall)
    assert.equals(1, figures.texts.precision)
    assert.is_true(figures.cost_usd > 0)
    local asked = world.server:requests()
    assert.equals(3, #asked)
    for _, request in ipairs(asked) do
      assert.equals(200, request.answered)
      assert.equals('claude-haiku-4-5', request.body.model)
    end
    assert.equals(0, vim.json.decode(world:host('stats', '--json').stdout).queue)
    assert.same({}, world:memories('--all'))
  end)

  it('with a wrong key ends with one line, and the key is in no word of it', function()
    world.env.ANTHROPIC_API_KEY = 'wrong-key'
    world.server:next({ status = 401 })
    local done = world:host('eval-extract', '--model', 'claude-haiku-4-5', file)
    assert.equals(1, done.code)
    assert.equals('', done.stdout)
    assert.equals(2, #vim.split(vim.trim(done.stderr), '\n'))
    assert.falsy(done.stderr:find('wrong-key', 1, true))
  end)

  it('without a network ends with one line', function()
    world.server:stop()
    world.env.ANTHROPIC_BASE_URL = 'http://127.0.0.1:1'
    local done = world:host('eval-extract', '--model', 'claude-haiku-4-5', file)
    assert.equals(1, done.code)
    assert.equals('', done.stdout)
    assert.truthy(done.stderr:find('127.0.0.1', 1, true))
  end)

  it('is ended by Ctrl-C, with the figures of what was answered', function()
    world.server:next({ match = { kind = 'learn' }, text = ANSWER }, { hang = true }, { hang = true })
    local run = vim.system(
      { vim.env.SELFMIND_BIN .. '/selfmind-host', 'eval-extract', '--json', '--model', 'claude-haiku-4-5', file },
      { env = world.env, text = true }
    )
    local asked = vim.wait(30000, function()
      return #world.server:requests() == 3
    end, 5)
    assert.is_true(asked)
    run:kill('sigint')
    local done = run:wait(30000)
    assert.equals(1, done.code)
    assert.truthy(done.stderr:find('Stopped after 1 of 3 messages', 1, true))
    local figures = vim.json.decode(done.stdout)
    assert.equals(1, figures.n)
    assert.equals(3, figures.messages)
  end)
end)
