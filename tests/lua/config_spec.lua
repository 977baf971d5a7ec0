-- The settings: what is understood, what is reported.

local config = require('selfmind.config')

describe('the settings', function()
  it('have defaults', function()
    local resolved, problems = config.resolve()
    assert.same({ position = 'right', width = 0.4, height = 0.4, winbar = true }, resolved.window)
    assert.is_nil(resolved.top_k)
    assert.same({}, problems)
  end)

  it('of setup win over those of vim.g, key by key', function()
    local resolved = config.resolve(
      { top_k = 3, window = { width = 80, height = 10 } },
      { top_k = 4, window = { width = 60 } }
    )
    assert.equals(4, resolved.top_k)
    assert.equals(60, resolved.window.width)
    assert.equals(10, resolved.window.height)
  end)

  for _, case in ipairs({
    { { topk = 3 }, 'unknown setting topk, did you mean top_k?' },
    { { ['chat-model'] = 'x' }, 'unknown setting chat-model, did you mean chat_model?' },
    { { window = { widht = 3 } }, 'unknown setting window.widht, did you mean window.width?' },
    { { widht = 3 }, 'unknown setting widht, did you mean window.width?' },
    { { windows = { width = 3 } }, 'unknown setting windows, did you mean window?' },
    { { host = { command = 'x' } }, 'unknown setting host.command, did you mean host.cmd?' },
    {
      { retrieval = { preset = 'x' } },
      'retrieval.preset must be "default", "selfmind", "scenes" or "anamnesis", not "x"',
    },
    { { secrets = { patterns = 'ACME-*' } }, 'secrets.patterns must be a table, not a string' },
    { { secrets = { patterns = { 1 } } }, 'secrets.patterns must be a list of strings' },
    { { retrieval = 'selfmind' }, 'retrieval must be a table, not a string' },
    { { retrieval = { mmr = true } }, 'retrieval.mmr must be a table, not a boolean' },
    { { retrieval = { mmr = { enabled = 'yes' } } }, 'retrieval.mmr.enabled must be a boolean, not a string' },
    { { retrieval = { mmr = { lambda = 2 } } }, 'retrieval.mmr.lambda must be between 0 and 1, not 2' },
    { { retrieval = { min_score = 0 / 0 } }, ('retrieval.min_score must be a number, not %s'):format(0 / 0) },
    {
      { retrieval = { temporal_decay = { half_life_days = 0 } } },
      'retrieval.temporal_decay.half_life_days must be between 0.01 and 100000, not 0',
    },
    {
      { retrieval = { mmr = { lamda = 1 } } },
      'unknown setting retrieval.mmr.lamda, did you mean retrieval.mmr.lambda?',
    },
    { { retrieval = { lambda = 1 } }, 'unknown setting retrieval.lambda, did you mean retrieval.mmr.lambda?' },
    { { mmr = { lambda = 1 } }, 'unknown setting mmr, did you mean retrieval.mmr?' },
    { { presset = 'selfmind' }, 'unknown setting presset, did you mean retrieval.preset?' },
    { { learning_mood = 5 }, 'unknown setting learning_mood' },
    { { zzzzzzzzzz = 1 }, 'unknown setting zzzzzzzzzz' },
    { { xy = 1 }, 'unknown setting xy' },
    { { top_k = '6' }, 'top_k must be a number, not a string' },
    { { top_k = 0 }, 'top_k must be between 1 and 100, not 0' },
    { { top_k = 1.5 }, 'top_k must be a whole number, not 1.5' },
    { { top_k = math.huge }, 'top_k must be a whole number, not inf' },
    { { dedupe_threshold = 0 / 0 }, ('dedupe_threshold must be a number, not %s'):format(0 / 0) },
    { { window = { width = 0 } }, 'window.width must be above 0, not 0' },
    { { window = { height = math.huge } }, 'window.height must be a number, not inf' },
    { { chat_model = ' ' }, 'chat_model must not be empty' },
    { { db = '/tmp/a\0b' }, 'db must not have a NUL byte in it' },
    { { host = { cmd = { 'a', 1 } } }, 'host.cmd must be a list of strings' },
    { { window = { position = 'up' } }, 'window.position must be "right", "left", "bottom" or "top", not "up"' },
    { { dedupe_threshold = 7 }, 'dedupe_threshold must be between 0.01 and 1, not 7' },
    { { learning = 'never' }, 'learning must be "auto", "review" or "off", not "never"' },
    { { api_key = 'sk-x' }, 'api_key must be a function, not a string' },
    { { window = 'right' }, 'window must be a table, not a string' },
    { { host = { cmd = {} } }, 'host.cmd must be a list of strings' },
    { { 'stray' }, 'unknown setting 1' },
    { 'everything', 'the settings must be a table, not a string' },
  }) do
    it('report: ' .. case[2], function()
      local resolved, problems = config.resolve(case[1])
      assert.same({ case[2] }, problems)
      assert.same(config.resolve(), resolved)
    end)
  end

  it('of tables in tables win key by key too', function()
    local resolved = config.resolve(
      { retrieval = { preset = 'anamnesis', mmr = { enabled = true, lambda = 0.5 } } },
      { retrieval = { min_score = 0, mmr = { enabled = false } } }
    )
    assert.same(
      { preset = 'anamnesis', min_score = 0, mmr = { enabled = false, lambda = 0.5 } },
      resolved.retrieval
    )
  end)

  it('keep the good ones beside a bad one', function()
    local resolved, problems = config.resolve({ top_k = 3, history_turns = 'many' })
    assert.equals(3, resolved.top_k)
    assert.equals(1, #problems)
  end)

  it('report a bad one once, and go on', function()
    local said = {}
    local notify = vim.notify
    vim.notify = function(text)
      said[#said + 1] = text
    end
    require('selfmind').setup({ tpo_k = 3 })
    config.get()
    require('selfmind').setup({ tpo_k = 3 })
    vim.notify = notify
    require('selfmind').setup()
    assert.same({ 'selfmind: unknown setting tpo_k, did you mean top_k? (setting ignored)' }, said)
  end)

  it('for the host are only those it knows', function()
    require('selfmind').setup({ top_k = 3, window = { width = 50 }, api_key = function() end })
    assert.same({ top_k = 3 }, config.for_host())
    require('selfmind').setup({ retrieval = { min_score = 0, mmr = { enabled = false } } })
    assert.same({ retrieval = { min_score = 0, mmr = { enabled = false } } }, config.for_host())
    require('selfmind').setup()
    assert.equals('{}', vim.json.encode(config.for_host()))
  end)

  it('know where each value comes from', function()
    local _, _, from = config.resolve({ top_k = 3, window = { width = 80 } }, { top_k = 4, learning = 'never' })
    assert.same({ top_k = 2, ['window.width'] = 1 }, from)
  end)

  for _, case in ipairs({
    { { learning = 'off', memory_model = 'x', memory_max_tokens = 99 }, { 'memory_model', 'memory_max_tokens' } },
    { { learning = 'off', dedupe_threshold = 0.5 }, {} }, -- :Remember uses it too
    { { window = { position = 'bottom', width = 50, height = 10 } }, { 'window.width' } },
    { { window = { width = 50, height = 10 } }, { 'window.height' } },
    { { window = { position = 'bottom' } }, {} }, -- nobody gave a width
  }) do
    it('have no effect beside the others: ' .. table.concat(case[2], ', '), function()
      local resolved, _, from = config.resolve(case[1])
      assert.same(case[2], vim.tbl_map(function(sentence)
        return sentence:match('^%S+')
      end, config.useless(resolved, from)))
    end)
  end

  it('have no effect by what the host says, in the order of the help', function()
    assert.same(
      { 'retrieval.min_score has no effect: so', 'retrieval.mmr.lambda has no effect: because' },
      config.useless_to_host({ ['retrieval.mmr.lambda'] = 'because', ['retrieval.min_score'] = 'so', newer = 'x' })
    )
  end)
end)
