-- Opens, finds and closes the windows that show a chat. Any window may show one: options follow the buffer.

local M = {}

local api = vim.api
local config = require('selfmind.config')
local follow = require('selfmind.chat.follow')
local winbar = require('selfmind.chat.winbar')

local COLUMNS_MIN = 60

---@param size number
---@param total integer
---@return integer
local function absolute(size, total)
  return math.max(1, math.floor(size < 1 and size * total or size))
end

---@param bufnr integer
---@return integer? win in this tab page
function M.find(bufnr)
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    if api.nvim_win_get_buf(win) == bufnr then
      return win
    end
  end
end

---Shows the buffer in this tab page and goes there.
---@param bufnr integer
---@param prompt integer first line of the prompt area, from 1
---@return integer win
function M.show(bufnr, prompt)
  local win = M.find(bufnr)
  if win then
    api.nvim_set_current_win(win)
    return win
  end
  local set = config.get().window
  local split = { right = 'right', left = 'left', bottom = 'below', top = 'above' }
  local options = { split = split[set.position], win = -1 }
  if set.position == 'right' or set.position == 'left' then
    -- A share of a narrow screen is too little to read in, so it may then take up to half of it.
    options.width = absolute(set.width, vim.o.columns)
    if set.width < 1 then
      options.width = math.max(options.width, math.min(COLUMNS_MIN, math.floor(vim.o.columns / 2)))
    end
  else
    options.height = absolute(set.height, vim.o.lines)
  end
  win = api.nvim_open_win(bufnr, true, options)
  follow.arrive(win, prompt)
  return win
end

---@param win integer
function M.close(win)
  local others = vim.tbl_filter(function(other)
    return other ~= win and api.nvim_win_get_config(other).relative == ''
  end, api.nvim_tabpage_list_wins(0))
  if #others > 0 or #api.nvim_list_tabpages() > 1 then
    return api.nvim_win_close(win, false)
  end
  -- The last window cannot close (E444): it shows something else.
  api.nvim_win_call(win, function()
    local alternate = vim.fn.bufnr('#')
    if alternate > 0 and vim.fn.buflisted(alternate) == 1 and alternate ~= api.nvim_get_current_buf() then
      api.nvim_win_set_buf(win, alternate)
    else
      vim.cmd('enew')
    end
  end)
end

---For BufWinEnter: how a chat is shown, whatever the user's defaults are for files.
---@param win integer
function M.style(win)
  local options = {
    wrap = true,
    linebreak = true,
    smoothscroll = true, -- a paragraph is one line, and may be taller than what is left of the window
    conceallevel = 0, -- what is seen is what is sent and yanked
    number = false,
    relativenumber = false,
    list = false,
    foldmethod = 'manual', -- nothing is folded but what its reader folds, and that stays so
    colorcolumn = '',
  }
  for name, value in pairs(options) do
    api.nvim_set_option_value(name, value, { scope = 'local', win = win })
  end
  winbar.set(win)
end

return M
