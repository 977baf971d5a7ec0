-- Several Neovims on one store: what one learns or is told, the others know.
local World = require('support.world')
local several = require('support.several')

describe('several Neovims', function()
  local world

  after_each(function()
    world:close()
  end)

  it('learn each fact once, and each sees in its next turn what another was told', function()
    local run, report = several.run(3, 10)
    world = run
    assert.same({}, report.wrong)
    assert.truthy(report.facts >= 3 and report.asks >= 3)
    assert.truthy(report.by_memory + report.by_words > 0)
    -- The best of three: the machine may be busy with other things.
    assert.truthy(run:list_ms(3)[1] < 1000)
  end)

  it('show in an open list and a completion what another one remembers and forgets', function()
    world = World.new()
    local here, there = world:editor(), world:editor()
    here:command('Memories')
    here:see('Nothing is remembered here yet')
    local function known()
      return here:lua("return #require('selfmind.complete').memories(vim.fn.getcwd())")
    end
    assert.equals(0, known())
    there:command('Remember The user prefers tabs over spaces.')
    here:see('tabs over spaces')
    here:wait('the completion to know it', function()
      return known() == 1
    end)
    there:command('Forget! 1')
    here:see('Nothing is remembered here yet')
    here:wait('the completion to know it no more', function()
      return known() == 0
    end)
  end)

  it('keep the cursor of a list on its memory when another one changes what stands above', function()
    world = World.new()
    for _, text in ipairs({ 'The user likes tea.', 'The release is on Friday.' }) do
      world:host('remember', text)
    end
    local here, there = world:editor(), world:editor()
    here:command('Memories')
    here:see('on Friday')
    here:type('G?Friday<CR>')
    there:command('Forget! 1')
    here:wait('the list without it', function()
      return not world:text(here):find('tea', 1, true)
    end)
    assert.truthy(here:lua('return vim.api.nvim_get_current_line()'):find('Friday', 1, true))
  end)
end)
