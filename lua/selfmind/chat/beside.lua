-- The window that the user works in beside the chat: the last one of the tab page that shows nothing of the plugin's.

local M = {}

local api = vim.api

local last = {} ---@type table<integer, integer> by tab page

---@param win integer
---@return boolean
local function ordinary(win)
  local name = api.nvim_buf_get_name(api.nvim_win_get_buf(win))
  return api.nvim_win_get_config(win).relative == ''
    and not vim.startswith(name, 'selfmind://')
    and not vim.w[win].selfmind_diff
end

api.nvim_create_autocmd('WinLeave', {
  group = api.nvim_create_augroup('selfmind.chat.beside', {}),
  callback = function()
    local win = api.nvim_get_current_win()
    if ordinary(win) then
      last[api.nvim_get_current_tabpage()] = win
    end
  end,
})

---@return integer? win in this tab page
function M.window()
  local tab = api.nvim_get_current_tabpage()
  local windows = api.nvim_tabpage_list_wins(tab)
  local known = last[tab]
  if known and vim.tbl_contains(windows, known) and ordinary(known) then
    return known
  end
  return vim.iter(windows):find(ordinary)
end

return M
