-- A code block of a chat beside the buffer it is meant for: a scratch buffer in diff mode, one at a time. However it is
-- closed, the other window gets back what it had. Options are set here one by one, since :diffthis throws away the
-- folds that the user has made by hand, and :diffoff turns folding off for them.

local M = {}

local api = vim.api
local log = require('selfmind.log')
local window = require('selfmind.chat.window')

local COLUMNS_MIN = 100 -- of a window that is worth being parted in two columns
local DIFF = { diff = true, scrollbind = true, wrap = false }

---@class selfmind.Diff
---@field bufnr integer the scratch buffer
---@field win integer
---@field target integer window that it is compared with
---@field target_buffer integer
---@field before table<string, any> options that the target had; empty where it was in diff mode already
---@field back integer window to go to when it is closed by its key

local open ---@type selfmind.Diff?
local group = api.nvim_create_augroup('selfmind.chat.diff', {})
local late = api.nvim_create_augroup('selfmind.chat.diff.late', {})

---@param win integer
---@param options table<string, any>
---@return table<string, any> what they were
local function set(win, options)
  local before = {}
  for name, value in pairs(options) do
    before[name] = api.nvim_get_option_value(name, { scope = 'local', win = win })
    api.nvim_set_option_value(name, value, { scope = 'local', win = win })
  end
  return before
end

---Options stay with the buffer in its window: where it is not shown now, they are put back when it is again.
---@param diff selfmind.Diff
local function restore(diff)
  local win, bufnr = diff.target, diff.target_buffer
  if not api.nvim_win_is_valid(win) or not api.nvim_buf_is_valid(bufnr) then
    return
  elseif api.nvim_win_get_buf(win) == bufnr then
    set(win, diff.before)
    return
  end
  api.nvim_create_autocmd('BufWinEnter', {
    group = late,
    buffer = bufnr,
    callback = function()
      local here = api.nvim_get_current_win() == win
      if here then
        set(win, diff.before)
      end
      return here -- then it is done
    end,
  })
end

---Closes the comparison, if there is one.
function M.close()
  local diff = open
  if not diff then
    return
  end
  open = nil
  api.nvim_clear_autocmds({ group = group })
  if api.nvim_win_is_valid(diff.win) then
    if api.nvim_win_get_buf(diff.win) == diff.bufnr then
      window.close(diff.win)
    else
      vim.w[diff.win].selfmind_diff = nil -- the user shows something else there
    end
  end
  restore(diff)
end

---@param diff selfmind.Diff
local function watch(diff)
  local function on(event, options, ends)
    options.group = group
    options.callback = function()
      -- No window can be closed while one is being closed.
      vim.schedule(function()
        if open == diff and (not ends or ends()) then
          M.close()
        end
      end)
    end
    api.nvim_create_autocmd(event, options)
  end
  on('WinClosed', { pattern = { tostring(diff.win), tostring(diff.target) } })
  on('BufWinLeave', { buffer = diff.bufnr })
  on('BufWinEnter', {}, function()
    return not api.nvim_win_is_valid(diff.target) or api.nvim_win_get_buf(diff.target) ~= diff.target_buffer
  end)
end

---Opens the comparison and goes there.
---@param lines string[]
---@param target integer
function M.open(lines, target)
  M.close()
  local bufnr = api.nvim_create_buf(false, true)
  api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].bufhidden = 'wipe'
  local wide = api.nvim_win_get_width(target) >= COLUMNS_MIN
  local back = api.nvim_get_current_win()
  local split = { split = wide and 'right' or 'below', win = target }
  local room, win = pcall(api.nvim_open_win, bufnr, true, split)
  if not room then
    api.nvim_buf_delete(bufnr, { force = true })
    return log.warn('there is no room for another window: make the one beside the chat larger')
  end
  vim.w[win].selfmind_diff = true
  local target_buffer = api.nvim_win_get_buf(target)
  vim.bo[bufnr].filetype = vim.bo[target_buffer].filetype
  set(win, { winbar = 'code block of the chat · q closes' })
  set(win, DIFF)
  open = {
    bufnr = bufnr,
    win = win,
    target = target,
    target_buffer = target_buffer,
    before = set(target, vim.wo[target].diff and {} or DIFF),
    back = back,
  }
  vim.keymap.set('n', 'q', function()
    M.close()
    if api.nvim_win_is_valid(back) then
      api.nvim_set_current_win(back)
    end
  end, { buffer = bufnr, nowait = true, desc = 'selfmind: close the comparison' })
  watch(open)
end

return M
