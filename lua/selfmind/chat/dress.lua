-- What makes a buffer look and feel like a chat: options, keys, highlights, and what keeps its view right.

local api = vim.api
local buffer = require('selfmind.chat.buffer')
local conversations = require('selfmind.chat.conversations')
local follow = require('selfmind.chat.follow')
local keys = require('selfmind.chat.keys')
local labels = require('selfmind.chat.labels')
local window = require('selfmind.chat.window')

require('selfmind.chat.beside') -- it watches from the first chat on which window is left

local group = api.nvim_create_augroup('selfmind.chat.dress', {})

---@param win integer?
---@return selfmind.View? of the chat in this window
local function view_in(win)
  local conversation = win and api.nvim_win_is_valid(win) and conversations.in_buffer(api.nvim_win_get_buf(win))
  if conversation and buffer.alive(conversation.view) then
    return conversation.view
  end
end

api.nvim_create_autocmd('WinScrolled', {
  group = group,
  callback = function()
    for key, change in pairs(vim.v.event) do
      local win = tonumber(key)
      local view = view_in(win)
      if view then
        follow.scrolled(win --[[@as integer]], buffer.prompt_line(view), change.topline)
      end
    end
  end,
})

api.nvim_create_autocmd('WinResized', {
  group = group,
  callback = function()
    for _, win in ipairs(vim.v.event.windows or {}) do
      local view = view_in(win)
      if view then
        buffer.rewrap(view)
        follow.resized(win, buffer.prompt_line(view))
      end
    end
  end,
})

api.nvim_create_autocmd('WinClosed', {
  group = group,
  callback = function(event)
    follow.forget(tonumber(event.match) --[[@as integer]])
  end,
})

for name, link in pairs(labels.highlights) do
  api.nvim_set_hl(0, name, { link = link, default = true }) -- defaults come back after every :highlight clear
end

---@param bufnr integer
local function watch(bufnr)
  api.nvim_clear_autocmds({ group = group, buffer = bufnr })
  local function on(events, callback)
    api.nvim_create_autocmd(events, { group = group, buffer = bufnr, callback = callback })
  end
  on('TextChanged', function()
    local conversation = conversations.in_buffer(bufnr)
    if conversation then
      buffer.mend(conversation.view)
    end
  end)
  on({ 'CursorMoved', 'CursorMovedI' }, function()
    follow.cursor_moved(api.nvim_get_current_win())
  end)
  on('BufWinLeave', function()
    local conversation = conversations.in_buffer(bufnr)
    if conversation and buffer.alive(conversation.view) then
      follow.leave(bufnr, buffer.prompt_line(conversation.view))
    end
  end)
  on('BufWinEnter', function()
    window.style(api.nvim_get_current_win())
    local view = view_in(api.nvim_get_current_win())
    if view then
      buffer.rewrap(view)
    end
  end)
end

---@param bufnr integer
return function(bufnr)
  local options = vim.bo[bufnr]
  options.buftype = 'nofile' -- a view of the log: never asked to be written
  options.bufhidden = 'hide'
  options.swapfile = false
  options.undofile = false
  options.modeline = false
  options.buflisted = false -- :SelfMind chat goes there, :bnext need not
  options.readonly = false
  options.textwidth = 0 -- a paragraph is one line, as it is sent
  options.formatoptions = options.formatoptions:gsub('[at]', '')
  keys.map(bufnr)
  keys.guard(bufnr, function()
    local view = view_in(api.nvim_get_current_win())
    local cursor = api.nvim_win_get_cursor(0)
    return view ~= nil and buffer.at_prompt_start(view, cursor[1] - 1, cursor[2])
  end)
  options.filetype = 'selfmind'
  options.syntax = 'markdown' -- not tree-sitter: parsing again at every piece of a reply freezes the screen
  api.nvim_buf_call(bufnr, function()
    vim.cmd('silent! syntax clear markdownError') -- snake_case is no error
  end)
  watch(bufnr)
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    window.style(win) -- BufWinEnter was before us
  end
end
