-- The keys of the chat buffer, all of them <Plug> maps of plugin/selfmind.lua, and the help that lists them.

local M = {}

---@type { [1]: string, [2]: string, [3]: string, [4]: string }[] modes, key, <Plug> name, what it does
M.chat = {
  { 'n', '<CR>', 'submit', 'send the message' },
  { 'i', '<C-s>', 'submit', 'send the message' },
  { 'i', '<C-CR>', 'submit', 'send the message (where the terminal knows this key)' },
  { 'n', '<C-c>', 'stop', 'stop the reply' },
  { 'n', 'gR', 'retry', 'send a message that got no whole reply again; in a countdown, now' },
  { 'n', 'gC', 'continue', 'ask for the rest of a reply that broke off' },
  { 'n', 'gm', 'recalled', 'show the memories recalled for this message' },
  { 'nxo', ']]', 'next-turn', 'go to the next message or reply, then to the prompt' },
  { 'nxo', '[[', 'previous-turn', 'go to the message or reply before' },
  { 'xo', 'im', 'inner-turn', 'the text of a message or reply' },
  { 'xo', 'am', 'a-turn', 'a message or reply with its header' },
  { 'xo', 'ic', 'inner-code', 'the lines of a code block' },
  { 'xo', 'ac', 'a-code', 'a code block with its fences' },
  { 'n', 'gy', 'yank-code', 'yank the code block under the cursor' },
  { 'n', 'gA', 'insert-code', 'insert it at the cursor of the window beside the chat' },
  { 'n', 'g=', 'diff-code', 'compare it with the buffer of that window' },
  { 'n', 'g?', 'help', 'show these keys' },
}

local KINDS = { n = 'normal', i = 'insert', nxo = 'motion', xo = 'object' }

---@param bufnr integer
function M.map(bufnr)
  for _, key in ipairs(M.chat) do
    vim.keymap.set(vim.split(key[1], ''), key[2], ('<Plug>(selfmind-%s)'):format(key[3]), {
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
    lines[#lines + 1] = ('%-8s %-7s %s'):format(key[2], KINDS[key[1]], key[4])
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
