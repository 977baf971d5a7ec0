-- Decides which windows follow the end of the conversation, and is the only one who moves a cursor or scrolls. A
-- window follows while its cursor is in the prompt or on the last line above it, or after its user has scrolled down to
-- the end. A window that does not follow is never touched.

local M = {}

local api = vim.api

---@class selfmind.Place
---@field win integer
---@field kind "prompt"|"tail"|"scrolled"|"away"
---@field cursor { [1]: integer, [2]: integer }
---@field offset integer cursor line counted from the prompt's first
---@field topline integer

local resumed = {} ---@type table<integer, boolean> windows scrolled back to the end, by hand
local toplines = {} ---@type table<integer, integer> as we have set them
local lines_seen = {} ---@type table<integer, integer> where each cursor was last
local left = {} ---@type table<integer, selfmind.Place> by buffer: how its last window was left

---@param win integer
---@return { topline: integer, botline: integer, height: integer, textoff: integer, width: integer }
local function info(win)
  return vim.fn.getwininfo(win)[1]
end

---@param win integer
---@param prompt integer first line of the prompt area, from 1
---@return selfmind.Place
local function observe(win, prompt)
  local cursor = api.nvim_win_get_cursor(win)
  local kind = 'away'
  if cursor[1] >= prompt then
    kind = 'prompt'
  elseif cursor[1] == prompt - 1 then
    kind = 'tail'
  elseif resumed[win] then
    kind = 'scrolled'
  end
  return { win = win, kind = kind, cursor = cursor, offset = cursor[1] - prompt, topline = info(win).topline }
end

---@param win integer
---@param line integer
---@param column integer
local function set_cursor(win, line, column)
  local now = api.nvim_win_get_cursor(win)
  if now[1] ~= line or now[2] ~= column then
    api.nvim_win_set_cursor(win, { line, column })
  end
  lines_seen[win] = line
end

---The first line to show so that the last one stands at the bottom, and how much of the first to skip.
---@param win integer
---@param last integer
---@return integer topline
---@return integer skipcol
local function bottom_view(win, last)
  local w = info(win)
  local low, high = math.max(1, last - w.height), last
  while low < high do
    local middle = math.floor((low + high) / 2)
    if api.nvim_win_text_height(win, { start_row = middle - 1 }).all > w.height then
      low = middle + 1
    else
      high = middle
    end
  end
  local free = w.height - api.nvim_win_text_height(win, { start_row = low - 1 }).all
  if free > 0 and low > 1 and vim.wo[win].smoothscroll and vim.wo[win].wrap then
    -- A long paragraph is one line: show as much of its end as there is room for.
    local above = api.nvim_win_text_height(win, { start_row = low - 2, end_row = low - 2 }).all
    return low - 1, (above - free) * (w.width - w.textoff)
  end
  return low, 0
end

---@param win integer
---@param last integer
---@param keep integer the line of the cursor, which must stay in sight
---@param fill? boolean leave no room below the end; else a view that shows the end is left as it is
local function scroll_to_end(win, last, keep, fill)
  local w = info(win)
  local all = api.nvim_win_text_height(win, { start_row = w.topline - 1 }).all
  local view = api.nvim_win_call(win, vim.fn.winsaveview)
  if not fill and all <= w.height and view.skipcol == 0 then
    return
  end
  local topline, skipcol = bottom_view(win, last)
  if keep < topline then
    topline, skipcol = keep, 0
  end
  if topline ~= view.topline or skipcol ~= view.skipcol then
    api.nvim_win_call(win, function()
      vim.fn.winrestview({ topline = topline, skipcol = skipcol, topfill = 0 })
    end)
  end
  toplines[win] = topline
end

---@param place selfmind.Place
---@param prompt integer
---@param last integer
---@param redrawn boolean
local function settle(place, prompt, last, redrawn)
  local win = place.win
  if place.kind == 'prompt' then
    local line = math.min(last, prompt + place.offset)
    local text = api.nvim_buf_get_lines(api.nvim_win_get_buf(win), line - 1, line, false)[1]
    set_cursor(win, line, math.min(place.cursor[2], #text))
  elseif place.kind == 'tail' then
    local text = api.nvim_buf_get_lines(api.nvim_win_get_buf(win), prompt - 2, prompt - 1, false)[1]
    set_cursor(win, math.max(1, prompt - 1), #(text or ''))
  elseif place.kind == 'scrolled' then
    scroll_to_end(win, last, last)
    local top = info(win).topline
    set_cursor(win, math.max(top, place.cursor[1]), place.cursor[2])
    return
  else
    if redrawn then
      set_cursor(win, math.min(last, place.cursor[1]), place.cursor[2])
      api.nvim_win_call(win, function()
        vim.fn.winrestview({ topline = math.min(last, place.topline) })
      end)
    end
    return
  end
  scroll_to_end(win, last, api.nvim_win_get_cursor(win)[1])
end

---Runs a change of the buffer and puts every window's cursor and view where they belong after it.
---@param bufnr integer
---@param prompt_line fun(): integer first line of the prompt area, from 1
---@param change fun()
---@param redrawn? boolean the whole text is written anew
function M.around(bufnr, prompt_line, change, redrawn)
  local places = {}
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    places[#places + 1] = observe(win, prompt_line())
  end
  change()
  for _, place in ipairs(places) do
    if api.nvim_win_is_valid(place.win) and api.nvim_win_get_buf(place.win) == bufnr then
      settle(place, prompt_line(), api.nvim_buf_line_count(bufnr), redrawn or false)
    end
  end
end

---For WinResized: what was at the bottom stays there.
---@param win integer
---@param prompt integer first line of the prompt area, from 1
function M.resized(win, prompt)
  local place = observe(win, prompt)
  if place.kind ~= 'away' then
    local last = api.nvim_buf_line_count(api.nvim_win_get_buf(win))
    scroll_to_end(win, last, place.kind == 'scrolled' and last or place.cursor[1], true)
  end
end

---Puts the cursor at the end of the prompt, where the next message is typed.
---@param win integer
function M.to_prompt(win)
  local bufnr = api.nvim_win_get_buf(win)
  local last = api.nvim_buf_line_count(bufnr)
  set_cursor(win, last, #api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1])
  scroll_to_end(win, last, last)
end

---For BufWinLeave: its last window goes, be it closed or used for another buffer.
---@param bufnr integer
---@param prompt integer first line of the prompt area, from 1
function M.leave(bufnr, prompt)
  local win = vim.fn.win_findbuf(bufnr)[1]
  left[bufnr] = win and observe(win, prompt) or left[bufnr]
end

---A window that has just been opened for a chat: where its last one was left, else in the prompt.
---@param win integer
---@param prompt integer first line of the prompt area, from 1
function M.arrive(win, prompt)
  local bufnr = api.nvim_win_get_buf(win)
  local place = left[bufnr]
  if not place then
    return M.to_prompt(win)
  end
  place.win = win
  settle(place, prompt, api.nvim_buf_line_count(bufnr), true)
end

---For CursorMoved: a cursor that goes up, away from the end, stops following.
---@param win integer
function M.cursor_moved(win)
  local line = api.nvim_win_get_cursor(win)[1]
  if lines_seen[win] and line < lines_seen[win] then
    resumed[win] = nil
  end
  lines_seen[win] = line
end

---For WinScrolled: scrolling down until the end is in sight resumes following, scrolling up stops it.
---@param win integer
---@param prompt integer first line of the prompt area, from 1
---@param lines integer how many lines the view moved down
function M.scrolled(win, prompt, lines)
  local w = info(win)
  if not w or lines == 0 or toplines[win] == w.topline then
    return
  end
  local last_shown = api.nvim_win_call(win, function()
    return vim.fn.line('w$')
  end)
  resumed[win] = lines > 0 and last_shown >= prompt - 1 or nil
end

---@param win integer
function M.forget(win)
  resumed[win], toplines[win], lines_seen[win] = nil, nil, nil
end

---Shows what was written, where the buffer is in sight. Not over a prompt that waits for a key.
---@param bufnr integer
function M.redraw(bufnr)
  local mode = api.nvim_get_mode().mode
  if mode:match('^[rc]') then
    return
  end
  for _, win in ipairs(api.nvim_tabpage_list_wins(0)) do
    if api.nvim_win_get_buf(win) == bufnr then
      return vim.cmd('redraw')
    end
  end
end

return M
