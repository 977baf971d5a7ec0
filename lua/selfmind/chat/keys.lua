-- The keys of the chat buffer, all of them <Plug> maps of plugin/selfmind.lua, and the help that lists them.

local M = {}

---@type { [1]: string, [2]: string, [3]: string, [4]: string }[] mode, key, <Plug> name, what it does
M.chat = {
  { 'n', '<CR>', 'submit', 'send the message' },
  { 'i', '<C-s>', 'submit', 'send the message' },
  { 'i', '<C-CR>', 'submit', 'send the message (where the terminal knows this key)' },
  { 'n', '<C-c>', 'stop', 'stop the reply' },
  { 'n', 'gR', 'retry', 'send the newest message again' },
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
