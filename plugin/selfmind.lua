-- Commands, <Plug> maps, and the door for chat buffers. Loads nothing of the plugin until one of them is used.

if vim.g.loaded_selfmind then
  return
end
vim.g.loaded_selfmind = true

if vim.fn.has('nvim-0.10') == 0 then
  vim.api.nvim_echo({ { 'selfmind.nvim needs Neovim 0.10 or newer', 'WarningMsg' } }, true, {})
  return
end

---@param name string
---@param field string of selfmind.commands, and of selfmind.complete where it completes
---@param options table
local function command(name, field, options)
  if vim.fn.exists(':' .. name) == 2 then
    return -- somebody else's: everything is under :SelfMind too
  end
  if options.complete then
    options.complete = function(lead, line)
      return require('selfmind.complete')[field](lead, line)
    end
  end
  vim.api.nvim_create_user_command(name, function(opts)
    require('selfmind.commands')[field](opts)
  end, options)
end

command('SelfMind', 'selfmind', {
  nargs = '*',
  bang = true,
  range = true,
  complete = true,
  desc = 'Chat with Claude, and what it remembers',
})
command('Remember', 'remember', {
  nargs = '*',
  bang = true,
  range = true,
  complete = true,
  desc = 'Keep a text, or the lines of a range; with ! even if it is known',
})
command('Forget', 'forget', {
  nargs = '*',
  bang = true,
  complete = true,
  desc = 'Erase memories for good; with ! without asking',
})
command('Memories', 'memories', { nargs = 0, desc = 'List the memories' })

---@param mode string|string[]
---@param name string
---@param run string Lua expression
---@param description string
local function plug(mode, name, run, description)
  vim.keymap.set(mode, ('<Plug>(selfmind-%s)'):format(name), ('<Cmd>lua %s<CR>'):format(run), {
    desc = 'selfmind: ' .. description,
  })
end

local chat = 'require("selfmind.chat").'
plug('n', 'chat', chat .. 'open()', 'open the chat')
plug('n', 'new', chat .. 'open({ fresh = true })', 'open a new chat')
plug('n', 'private', chat .. 'open({ private = true })', 'open a chat of which nothing is kept')
plug('n', 'toggle', chat .. 'toggle()', 'open or close the chat')
plug({ 'n', 'i' }, 'submit', chat .. 'submit()', 'send the message')
plug('n', 'stop', chat .. 'stop()', 'stop the reply')
plug('n', 'retry', chat .. 'retry()', 'send a message that got no whole reply again')
plug('n', 'continue', chat .. 'continue()', 'ask for the rest of a reply that broke off')
plug('n', 'recalled', chat .. 'show_recalled()', 'show the memories recalled for this message')
plug('n', 'help', 'require("selfmind.chat.keys").help()', 'show the keys of the chat')
local objects = 'require("selfmind.chat.objects").'
plug({ 'n', 'x', 'o' }, 'next-turn', objects .. 'jump(1)', 'go to the next turn')
plug({ 'n', 'x', 'o' }, 'previous-turn', objects .. 'jump(-1)', 'go to the turn before')
plug('n', 'yank-code', 'require("selfmind.chat.code").yank()', 'yank the code block under the cursor')
plug('n', 'insert-code', 'require("selfmind.chat.code").insert()', 'insert the code block beside the chat')
plug('n', 'diff-code', 'require("selfmind.chat.code").diff()', 'compare the code block with the buffer beside the chat')

---A text object. Where there is none, an operator that waits for it is cancelled.
---@param name string
---@param what "code"|"turn"
---@param inner boolean
---@param description string
local function object(name, what, inner, description)
  plug('x', name, ('%sselect("%s", %s)'):format(objects, what, inner), description)
  vim.keymap.set('o', ('<Plug>(selfmind-%s)'):format(name), function()
    local there = require('selfmind.chat.objects').there(what, inner)
    return there and ('<Cmd>lua %sselect("%s", %s)<CR>'):format(objects, what, inner) or '<Esc>'
  end, { expr = true, desc = 'selfmind: ' .. description })
end

object('inner-turn', 'turn', true, 'the text of a message or reply')
object('a-turn', 'turn', false, 'a message or reply with its header')
object('inner-code', 'code', true, 'the lines of a code block')
object('a-code', 'code', false, 'a code block with its fences')

vim.keymap.set('n', '<Plug>(selfmind-memories)', '<Cmd>Memories<CR>', { desc = 'selfmind: list the memories' })
vim.keymap.set('n', '<Plug>(selfmind-pick)', '<Cmd>SelfMind pick<CR>', { desc = 'selfmind: pick a memory' })
vim.keymap.set('n', '<Plug>(selfmind-forget)', '<Cmd>SelfMind forget<CR>', { desc = 'selfmind: forget a memory' })
vim.keymap.set('n', '<Plug>(selfmind-delete)', '<Cmd>SelfMind delete chat<CR>', { desc = 'selfmind: delete this chat' })
vim.keymap.set('n', '<Plug>(selfmind-stats)', '<Cmd>SelfMind stats<CR>', { desc = 'selfmind: statistics' })
vim.keymap.set('n', '<Plug>(selfmind-remember)', '<Cmd>SelfMind remember<CR>', { desc = 'selfmind: remember a text' })
vim.keymap.set('n', '<Plug>(selfmind-ask)', '<Cmd>SelfMind ask<CR>', { desc = 'selfmind: ask in the chat' })
vim.keymap.set('x', '<Plug>(selfmind-ask)', ':SelfMind ask<CR>', {
  silent = true,
  desc = 'selfmind: ask about the selected lines',
})
vim.keymap.set('x', '<Plug>(selfmind-remember)', ':SelfMind remember<CR>', {
  silent = true,
  desc = 'selfmind: remember the selected lines',
})

local group = vim.api.nvim_create_augroup('selfmind', {})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = { 'selfmind://chat/*', 'selfmind://private/*' },
  callback = function(event)
    require('selfmind.chat').read(event.buf)
  end,
})

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'selfmind://memories',
  callback = function(event)
    require('selfmind.memories.buffer').read(event.buf)
  end,
})

-- A session names a chat's window without reading it. Its event comes to each loaded buffer.
vim.api.nvim_create_autocmd('SessionLoadPost', {
  group = group,
  callback = function(event)
    local name = vim.api.nvim_buf_get_name(event.buf)
    if name:find('^selfmind://chat/') or name:find('^selfmind://private/') then
      require('selfmind.chat').read(event.buf)
    elseif name == 'selfmind://memories' then
      require('selfmind.memories.buffer').read(event.buf)
    end
  end,
})
