-- The keys of the chat buffer, all of them <Plug> maps of plugin/selfmind.lua, and the help that lists them.

local M = {}

---@type { [1]: string, [2]: string, [3]: string, [4]: string }[] mode, key, <Plug> name, what it does
M.chat = {
  { 'n', '<CR>', 'submit', 'send the message' },
  { 'i', '<C-s>', 'submit', 'send the message' },
  { 'i', '<C-CR>', 'submit', 'send the message (where the terminal knows this key)' },
  { 'n', '<C-c>', 'stop', 'stop the reply' },
  { 'n', 'gR', 'retry', 'send a message that got no whole reply again; in a countdown, now' },
  { 'n', 'gC', 'continue', 'ask for the rest of a reply that broke off' },
  { 'n', 'gm', 'recalled', 'show the memories recalled for this message' },
  { 'n', 'g?', 'help', 'show these keys' },
}

---@param bufnr integer
function M.map(bufnr)
  for _, key in ipairs(M.chat) do
    vim.keymap.set(key[1], key[2], ('<Plug>(selfmind-%s)'):format(key[3]), {
      buffer = bufnr,
      remap = true,
      desc = 'selfmind: ' .. key[4],
    })
  end
end

---Keeps deleting backwards inside the prompt: what stands before it was said already.
---@param bufnr integer
---@param at_prompt_start fun(): boolean
function M.guard(bufnr, at_prompt_start)
  for _, key in ipairs({ '<BS>', '<C-h>', '<C-w>', '<C-u>' }) do
    vim.keymap.set('i', key, function()
      return at_prompt_start() and '' or key
    end, { buffer = bufnr, expr = true, desc = 'selfmind: delete backwards, not out of the prompt' })
  end
end

---Shows the keys in a small window.
function M.help()
  local lines = {}
  for _, key in ipairs(M.chat) do
    lines[#lines + 1] = ('%-8s %-7s %s'):format(key[2], key[1] == 'i' and 'insert' or 'normal', key[4])
  end
  vim.list_extend(lines, {
    '',
    '/remember TEXT   keep this',
    '/forget ID       erase a memory for good',
    '/memories        list the memories',
    '/stats           show counts and sizes',
    '',
    ':e shows the conversation as it was kept, :help selfmind says more',
  })
  require('selfmind.float').open('selfmind', lines)
end

return M
