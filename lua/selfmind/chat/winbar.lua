-- The winbar of windows that show a chat. The option's value never changes: it is an expression that Neovim evaluates
-- when it draws. It is local to the window and the chat's buffer, so it goes when the window shows something else.

local M = {}

local api = vim.api
local config = require('selfmind.config')

local OURS = "%{%v:lua.require'selfmind.chat.status'.drawn_winbar()%}"

---For BufWinEnter: ours, unless the user has one of their own there, or wants none.
---@param win integer
function M.set(win)
  local now = api.nvim_get_option_value('winbar', { scope = 'local', win = win })
  local wanted = config.get().window.winbar and OURS or ''
  if (now == '' or now == OURS) and now ~= wanted then
    -- A window of one line has no room for it (E36).
    pcall(api.nvim_set_option_value, 'winbar', wanted, { scope = 'local', win = win })
  end
end

return M
