-- One half of the scripted conversation of `make demo`: opens the chat, says $SELFMIND_DEMO_SAY as a user would, waits
-- for the end of the turn, prints the chat and quits. The other half is another Neovim.

local api = vim.api
local LIMIT_MS = 120000 -- a real model may think

local function fail(what)
  io.stderr:write('demo: waited in vain for ' .. what .. '\n')
  vim.cmd('cquit')
end

local function wait_for(what, holds)
  if not vim.wait(LIMIT_MS, holds, 10) then
    fail(what)
  end
end

local function keys(text)
  api.nvim_feedkeys(api.nvim_replace_termcodes(text, true, true, true), 'tx', false)
end

local done, learned = nil, nil
api.nvim_create_autocmd('User', {
  pattern = 'SelfMindTurnDone',
  callback = function(event)
    done = event.data
  end,
})
api.nvim_create_autocmd('User', {
  pattern = 'SelfMindLearned',
  callback = function(event)
    learned = event.data
  end,
})

vim.cmd('SelfMind ' .. (vim.env.SELFMIND_DEMO_OPEN or 'chat'))
wait_for('the chat', function()
  return vim.bo.filetype == 'selfmind'
end)
local say = vim.env.SELFMIND_DEMO_SAY
keys('GA' .. say .. '<Esc><CR>')
wait_for('the reply', function()
  return done ~= nil
end)
if done.state == 'done' then
  -- With a model, the turn is learned from after the reply; not for ever, there may be nothing to learn.
  vim.wait(20000, function()
    return learned ~= nil
  end, 10)
end

local namespace = api.nvim_get_namespaces()['selfmind.chat']
local function chunks_text(chunks)
  return table.concat(vim.tbl_map(function(chunk)
    return chunk[1]
  end, chunks))
end
for row, line in ipairs(api.nvim_buf_get_lines(0, 0, -1, false)) do
  local below = {}
  for _, mark in ipairs(api.nvim_buf_get_extmarks(0, namespace, { row - 1, 0 }, { row - 1, -1 }, { details = true })) do
    local details = mark[4]
    if details.virt_text then
      line = line .. chunks_text(details.virt_text)
    end
    for _, chunks in ipairs(details.virt_lines or {}) do
      below[#below + 1] = chunks_text(chunks)
    end
  end
  print('  ' .. line)
  for _, text in ipairs(below) do
    print('  ' .. text)
  end
end
vim.cmd('qall!')
