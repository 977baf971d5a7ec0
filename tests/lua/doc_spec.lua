-- The help says what there is.

local root = require('support.child').root

describe('the help', function()
  local help = table.concat(vim.fn.readfile(root .. '/doc/selfmind.txt'), '\n')

  it('has tags without duplicates, and links that lead somewhere', function()
    local folder = vim.fn.tempname()
    vim.fn.mkdir(folder .. '/doc', 'p')
    vim.fn.writefile(vim.split(help, '\n'), folder .. '/doc/selfmind.txt')
    vim.cmd('helptags ' .. folder .. '/doc') -- throws on duplicates
    local tags = {}
    for _, line in ipairs(vim.fn.readfile(folder .. '/doc/tags')) do
      tags[line:match('^[^\t]+')] = true
    end
    for link in help:gmatch('|(%S-)|') do
      local known = tags[link] or link == 'User' or link == 'vim.ui.select()'
      assert.is_truthy(known, 'no tag ' .. link)
    end
  end)

  it('names every subcommand, every <Plug> map, every key of the chat, every highlight', function()
    for _, name in ipairs(require('selfmind.commands').names()) do
      assert.truthy(help:find('\n    ' .. name, 1, true) or help:find(', ' .. name .. ' ', 1, true), name)
    end
    vim.cmd('runtime plugin/selfmind.lua')
    for _, mode in ipairs({ 'n', 'x', 'o', 'i' }) do
      for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
        if vim.startswith(map.lhs, '<Plug>(selfmind-') then
          assert.truthy(help:find(map.lhs, 1, true), map.lhs)
        end
      end
    end
    for _, key in ipairs(require('selfmind.chat.keys').chat) do
      assert.truthy(help:find('\n    ' .. key[2], 1, true), key[2])
    end
    for name, link in pairs(require('selfmind.chat.labels').highlights) do
      assert.truthy(help:find(name .. '%s+' .. link), name)
    end
  end)

  it('has of every setting the type, range, default and meaning of the schema, and no other setting', function()
    local schema = require('selfmind.schema')
    local entries, last = {}, nil
    local lines = vim.split(help:match('\n7%. SETTINGS.-\n(.-)\n======'), '\n')
    for number, line in ipairs(lines) do
      local key = line:match('%*selfmind%-setting%-(%S+)%*$')
      if key then
        -- A long one stands below its tag.
        assert.truthy(vim.startswith(line, key .. ' ') or lines[number + 1] == key, line)
        entries[key], last = {}, key
      elseif last and line ~= '<' and line ~= last then
        local before = line:match('^(.-)%s*>lua$')
        table.insert(entries[last], before or line)
        last = not before and last or nil -- what follows is an example
      end
    end
    for _, setting in ipairs(schema.settings) do
      local text = vim.trim((table.concat(entries[setting.key] or {}, ' '):gsub('%s+', ' ')))
      assert.equals(schema.help(setting), text)
      entries[setting.key] = nil
    end
    assert.same({}, vim.tbl_keys(entries))
  end)

  it('has every User autocommand that is fired with the fields of its data, and no other one', function()
    local classes = {
      ['turn/recalled'] = 'RecalledEvent',
      ['turn/done'] = 'DoneEvent',
      ['learn/done'] = 'LearnedEvent',
      ['memories/changed'] = false, -- without data
    }
    local protocol = table.concat(vim.fn.readfile(root .. '/lua/selfmind/protocol.lua'), '\n')
    local entries, last = {}, nil ---@type table<string, string>, string?
    for _, line in ipairs(vim.split(help:match('\n10%. AUTOCOMMANDS.-\n(.-)\nExample:'), '\n')) do
      local name = line:match('^(SelfMind%a+)%s+%*SelfMind%a+%*$')
      last = name or line ~= '' and last or nil
      if last then
        entries[last] = name and '' or entries[last] .. ' ' .. line
      end
    end
    for event, name in pairs(require('selfmind.events').autocommands) do
      assert.is_not_nil(classes[event], event)
      local fields, told = {}, {} ---@type table<string, string>, table<string, string>
      local class = classes[event] and protocol:match('%-%-%-@class selfmind%.' .. classes[event] .. '\n(.-)\n\n') or ''
      for field, optional in class:gmatch('%-%-%-@field (%w[%w_]*)(%??)') do
        fields[field] = optional == '?' and 'also' or 'always'
      end
      local entry, how = assert(entries[name], name):gsub('%b()', ''):gsub('%f[%a]also%f[%A]', '`!`'), 'always'
      for field in entry:gmatch('`([%w_!]+)`') do
        if field == '!' then
          how = 'also'
        else
          told[field] = how
        end
      end
      assert.same(fields, told, name)
      entries[name] = nil
    end
    assert.same({}, entries)
  end)

  it('has no line longer than a help window', function()
    for number, line in ipairs(vim.split(help, '\n')) do
      local shown = line:gsub('[*`]', '')
      assert.is_true(vim.fn.strdisplaywidth(shown) <= 79, 'line ' .. number)
    end
  end)
end)
