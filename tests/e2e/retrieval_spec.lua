-- The settings of retrieval with the real host: what is found, and what is said of them.
local World = require('support.world')

describe('the settings of retrieval', function()
  local world

  before_each(function()
    world = World.new({ offline = true })
  end)

  after_each(function()
    world:close()
  end)

  local function editor_with(retrieval)
    local settings = vim.inspect({ retrieval = retrieval }, { newline = ' ', indent = '' })
    return world:editor({ columns = 140, settings = settings })
  end

  ---Asks what the store has for `query`, in an editor of its own with these settings.
  local function ask(retrieval, query, expected)
    local editor = editor_with(retrieval)
    editor:command('SelfMind recall ' .. query)
    editor:see(expected)
    editor:kill()
  end

  local function remember(text)
    assert.equals(0, world:host('remember', text).code)
  end

  it('decide whether words are found by their stems', function()
    remember('The user likes strong teas.')
    ask({}, 'strongest tea?', 'The user likes strong teas.')
    ask({ preset = 'selfmind' }, 'strongest tea?', 'nothing comes to mind')
    ask({ preset = 'selfmind' }, 'teas?', 'The user likes strong teas.')
  end)

  it('decide how sure it must be that anything is known', function()
    remember("The user has a dentist's appointment about a wisdom tooth.")
    local unrelated = 'which wisdom does the old philosopher offer about seven lost empires and their fleets?'
    ask({}, unrelated, 'nothing comes to mind')
    ask({ min_score = 0 }, unrelated, 'wisdom tooth')
    ask({ min_score = 1 }, "dentist's appointment about a wisdom tooth", 'nothing comes to mind')
  end)

  it('are those of a message in the chat too', function()
    remember('The user likes strong teas.')
    local function recalled(retrieval)
      local editor = editor_with(retrieval)
      editor:lua([[
        vim.api.nvim_create_autocmd('User', {
          pattern = 'SelfMindRecalled',
          callback = function(event)
            _G.recalled = vim.iter(event.data.hits):filter(function(hit) return hit.source == 'memory' end):totable()
          end,
        })
      ]])
      world:chat(editor, 'chat')
      world:say(editor, 'strongest tea?')
      local count = editor:wait('the recall', function()
        return editor:lua('return _G.recalled and #_G.recalled')
      end)
      editor:kill()
      return count
    end
    assert.equals(0, recalled({ preset = 'selfmind' }))
    assert.equals(1, recalled({ preset = 'default' }))
  end)

  it('of a preset that there is not are one message with those that there are, and the rest goes on', function()
    remember('The user likes strong teas.')
    local editor = editor_with({ preset = 'best' })
    editor:command('SelfMind recall strongest tea?')
    editor:see('The user likes strong teas.')
    local said = editor:lua("return vim.fn.execute('messages')")
    local sentence = 'retrieval.preset must be "default", "selfmind", "scenes" or "anamnesis", not "best"'
    assert.equals(2, #vim.split(said, sentence, { plain = true }), said)
  end)

  it('that the preset cannot use are named once and in the health report, with what the preset lacks', function()
    local editor = editor_with({ preset = 'anamnesis', vector_weight = 0.5, mmr = { lambda = 0.5 } })
    editor:command('SelfMind recall tea')
    editor:see('nothing comes to mind')
    local said = editor:lua("return vim.fn.execute('messages')")
    local sentence = 'retrieval.vector_weight has no effect: there are no vectors yet'
    assert.equals(2, #vim.split(said, sentence, { plain = true }), said)
    local report = editor:lua([[
      vim.cmd('checkhealth selfmind')
      return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    ]])
    for _, line in ipairs({
      'retrieval.preset = "anamnesis" (vim.g.selfmind)',
      'retrieval.mmr.lambda = 0.5 (vim.g.selfmind)',
      'retrieval.mmr.enabled = true (default)',
      sentence,
      'The preset "anamnesis" is its text half alone',
    }) do
      assert.truthy(report:find(line, 1, true), line .. ' is not in ' .. report)
    end
    assert.is_nil(report:find('mmr.lambda has no effect', 1, true))
  end)

  it('are all understood by the host', function()
    local editor = world:editor({ columns = 140 }) -- room for the notice
    local unknown = editor:lua([[
      local all = { preset = 'anamnesis', text_weight = 1, vector_weight = 1, min_score = 0, candidate_multiplier = 2,
        mmr = { enabled = true, lambda = 1 }, temporal_decay = { enabled = true, half_life_days = 3 } }
      vim.g.selfmind = vim.tbl_extend('force', vim.g.selfmind, { retrieval = all })
      require('selfmind').setup()
      return require('selfmind.config').problems()
    ]])
    assert.same({}, unknown)
    editor:command('Remember pears')
    editor:wait('the host', function()
      return editor:lua("return require('selfmind.host').info() ~= nil")
    end)
    local missing = editor:lua([[
      local missing, hello = {}, require('selfmind.host').info()
      for _, setting in ipairs(require('selfmind.schema').settings) do
        local told = hello.settings[setting.key]
        local known = hello.useless[setting.key] or (told and told.from == 'editor')
        if setting.key:find('^retrieval') and not known then
          table.insert(missing, setting.key)
        end
      end
      return missing
    ]])
    assert.same({}, missing)
  end)
end)
