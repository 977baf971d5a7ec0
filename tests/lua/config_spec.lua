-- The settings: what is understood, what is reported.

local config = require('selfmind.config')

describe('the settings', function()
  it('have defaults', function()
    local resolved, problems = config.resolve()
    assert.same({ position = 'right', width = 0.4, height = 0.4 }, resolved.window)
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
    { { zzzzzzzzzz = 1 }, 'unknown setting zzzzzzzzzz' },
    { { top_k = '6' }, 'top_k must be a number, not a string' },
    { { top_k = 0 }, 'top_k must be between 1 and 100, not 0' },
    { { top_k = 1.5 }, 'top_k must be a whole number, not 1.5' },
    { { dedupe_threshold = 7 }, 'dedupe_threshold must be between 0.01 and 1, not 7' },
    { { learning = 'never' }, 'learning must be "auto" or "off", not "never"' },
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
    require('selfmind').setup()
    assert.equals('{}', vim.json.encode(config.for_host()))
  end)

  it('all stand in the help, with their defaults', function()
    local help = table.concat(vim.fn.readfile(vim.fs.joinpath(require('support.child').root, 'doc/selfmind.txt')), '\n')
    for _, setting in ipairs(config.schema) do
      local at = help:find('*selfmind-setting-' .. setting.key .. '*', 1, true)
      assert.is_truthy(at, setting.key .. ' is not in the help')
      local entry = help:sub(at, (help:find('*selfmind-setting-', at + 1, true) or #help))
      local default = setting.host_default or (setting.default ~= nil and tostring(setting.default)) or ''
      assert.is_truthy(entry:find(default, 1, true), setting.key .. ' has another default in the help')
      for _, value in ipairs(setting.values or {}) do
        assert.is_truthy(entry:find('"' .. value .. '"', 1, true), ('%s may be "%s"'):format(setting.key, value))
      end
    end
  end)
end)
