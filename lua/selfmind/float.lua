-- A small window over the others that shows lines and goes away with q or <Esc>. For details, lists and key help.

local M = {}

local api = vim.api
local validate = require('selfmind.validate')

---@param lines string[]
---@return integer
local function widest(lines)
  local width = 1
  for _, line in ipairs(lines) do
    width = math.max(width, vim.fn.strdisplaywidth(line))
  end
  return width
end

---Makes a window as high as its text, where there is room, and puts it in the middle.
---@param win integer
---@param width integer
local function fit(win, width)
  local height = math.min(api.nvim_win_text_height(win, {}).all, math.max(1, math.floor(vim.o.lines * 0.7)))
  api.nvim_win_set_config(win, {
    relative = 'editor',
    row = math.max(0, math.floor((vim.o.lines - height) / 2) - 1),
    col = math.max(0, math.floor((vim.o.columns - width) / 2)),
    width = width,
    height = height,
  })
end

---@param title string
---@param lines string[]
---@param footer? string which keys there are beside q
---@return integer bufnr
---@return integer win
function M.open(title, lines, footer)
  validate('title', title, 'string')
  validate('lines', lines, 'table')
  validate('footer', footer, 'string', true)
  local bufnr = api.nvim_create_buf(false, true)
  local flat = vim.split(table.concat(lines, '\n'), '\n')
  api.nvim_buf_set_lines(bufnr, 0, -1, false, flat)
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].modifiable = false
  local named = math.max(vim.fn.strdisplaywidth(title), vim.fn.strdisplaywidth(footer or '')) + 2
  local width = math.min(math.max(widest(flat), named), math.max(20, math.floor(vim.o.columns * 0.8)))
  local win = api.nvim_open_win(bufnr, true, {
    relative = 'editor',
    row = 0,
    col = 0,
    width = width,
    height = 1,
    style = 'minimal',
    border = 'rounded',
    title = ' ' .. title .. ' ',
    footer = footer and ' ' .. footer .. ' ',
  })
  vim.wo[win][0].wrap = true
  vim.wo[win][0].linebreak = true
  fit(win, width)
  for _, key in ipairs({ 'q', '<Esc>' }) do
    vim.keymap.set('n', key, function()
      if api.nvim_win_is_valid(win) then
        api.nvim_win_close(win, true)
      end
    end, { buffer = bufnr, nowait = true, desc = 'close' })
  end
  return bufnr, win
end

return M
