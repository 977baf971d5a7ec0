-- Keeps our changes and the user's in separate undo steps. The order below is the only one that loses nobody's text in
-- every Neovim we support: close the user's step, join or not, change, close ours.

local M = {}

local api = vim.api

---@class selfmind.Steps
---@field tick integer changedtick after our last change
---@field key? string what our last step was for

---@return selfmind.Steps
function M.new()
  return { tick = -1 }
end

-- Setting 'undolevels', even to itself, closes the open undo step of the current buffer.
local function close_step()
  vim.cmd('noautocmd let &l:undolevels=&l:undolevels')
end

---Makes one change of ours. Changes with the same key that follow each other directly are one undo step.
---@param bufnr integer
---@param steps selfmind.Steps
---@param key string
---@param change fun()
function M.change(bufnr, steps, key, change)
  local ok, why
  vim.bo[bufnr].modifiable = true
  api.nvim_buf_call(bufnr, function()
    if api.nvim_buf_get_changedtick(bufnr) ~= steps.tick then
      close_step()
      steps.key = nil
    end
    if steps.key == key then
      pcall(vim.cmd, 'undojoin') -- E790 right after the user's undo: then it is a new step
    end
    ok, why = pcall(change)
    close_step()
    steps.tick = api.nvim_buf_get_changedtick(bufnr)
    steps.key = key
  end)
  if not ok then
    error(why, 0)
  end
end

---Makes a change that cannot be undone and drops the undo history before it.
---@param bufnr integer
---@param steps selfmind.Steps
---@param change fun()
function M.without_undo(bufnr, steps, change)
  vim.bo[bufnr].modifiable = true
  local levels = vim.bo[bufnr].undolevels
  vim.bo[bufnr].undolevels = -1
  local ok, why = pcall(change)
  vim.bo[bufnr].undolevels = levels
  steps.tick = api.nvim_buf_get_changedtick(bufnr)
  steps.key = nil
  if not ok then
    error(why, 0)
  end
end

return M
