-- A code block of a chat beside the buffer it is meant for: a scratch buffer in diff mode, one at a time. However it is
-- closed, the other window gets back the options it had.

local M = {}

local api = vim.api
local window = require('selfmind.chat.window')

local COLUMNS_MIN = 100 -- of a window that is worth being parted in two columns

---@class selfmind.Diff
---@field bufnr integer the scratch buffer
---@field win integer
---@field target integer window that it is compared with
---@field back integer window to go to when it is closed by its key
---@field was_diff boolean the target was in diff mode before

local open ---@type selfmind.Diff?
local group = api.nvim_create_augroup('selfmind.chat.diff', {})

---Closes the comparison, if there is one.
function M.close()
  local diff = open
  if not diff then
    return
  end
  open = nil
  api.nvim_clear_autocmds({ group = group })
  if api.nvim_win_is_valid(diff.target) and not diff.was_diff then
    api.nvim_win_call(diff.target, function()
      vim.cmd('diffoff')
    end)
  end
  if api.nvim_win_is_valid(diff.win) then
    if api.nvim_win_get_buf(diff.win) == diff.bufnr then
      window.close(diff.win)
    else
      vim.w[diff.win].selfmind_diff = nil -- the user shows something else there
    end
  end
end

---@param diff selfmind.Diff
local function watch(diff)
  local function on(event, options)
    options.group = group
    options.callback = vim.schedule_wrap(function() -- no window can be closed while one is being closed
      if open == diff then
        M.close()
      end
    end)
    api.nvim_create_autocmd(event, options)
  end
  on('WinClosed', { pattern = { tostring(diff.win), tostring(diff.target) } })
  on('BufWinLeave', { buffer = diff.bufnr })
end

---@param target integer
local function compare(target)
  for _, win in ipairs({ target, api.nvim_get_current_win() }) do
    api.nvim_win_call(win, function()
      vim.cmd('diffthis')
    end)
  end
end

---Opens the comparison and goes there.
---@param lines string[]
---@param target integer
function M.open(lines, target)
  M.close()
  local bufnr = api.nvim_create_buf(false, true)
  api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].bufhidden = 'wipe'
  local diff = {
    bufnr = bufnr,
    target = target,
    back = api.nvim_get_current_win(),
    was_diff = vim.wo[target].diff,
  }
  local wide = api.nvim_win_get_width(target) >= COLUMNS_MIN
  diff.win = api.nvim_open_win(bufnr, true, { split = wide and 'right' or 'below', win = target })
  vim.w[diff.win].selfmind_diff = true
  vim.wo[diff.win][0].winbar = 'code block of the chat · q closes'
  vim.bo[bufnr].filetype = vim.bo[api.nvim_win_get_buf(target)].filetype
  compare(target)
  vim.keymap.set('n', 'q', function()
    M.close()
    if api.nvim_win_is_valid(diff.back) then
      api.nvim_set_current_win(diff.back)
    end
  end, { buffer = bufnr, nowait = true, desc = 'selfmind: close the comparison' })
  open = diff
  watch(diff)
end

return M
