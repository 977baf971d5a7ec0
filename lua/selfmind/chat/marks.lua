-- What the chat shows besides its text: headers over empty lines and quiet lines underneath, all of them extmarks. A
-- mark vanishes when its line is undone; Neovim does not bring it back on redo, so `mend` does.

local M = {}

local api = vim.api
local wrap = require('selfmind.chat.wrap')
local ns = api.nvim_create_namespace('selfmind.chat')

---@alias selfmind.Chunks { [1]: string, [2]: string }[]

---@class selfmind.Mark
---@field id integer
---@field header boolean else it is lines underneath
---@field opts table
---@field lines? selfmind.Chunks[] underneath, before they are wrapped to a window
---@field row integer where it was made, or last mended
---@field seq integer the undo state it was made in
---@field turn? integer the message it belongs to
---@field owner? selfmind.Mark the header that lines underneath belong to, and vanish with
---@field lasting? boolean older than the undo history, so that no undo takes its line away

M.namespace = ns

---@param bufnr integer
---@return integer
function M.undo_state(bufnr)
  return api.nvim_buf_call(bufnr, vim.fn.changenr)
end

---@param chunks selfmind.Chunks
---@return table
local function header_opts(chunks)
  return { virt_text = chunks, virt_text_pos = 'overlay', invalidate = true, right_gravity = false }
end

---@param bufnr integer
---@return integer columns for text in the narrowest window that shows the buffer
local function width(bufnr)
  local narrowest = math.huge
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    local info = vim.fn.getwininfo(win)[1]
    narrowest = math.min(narrowest, info.width - info.textoff)
  end
  return narrowest == math.huge and vim.o.columns or narrowest --[[@as integer]]
end

---@param bufnr integer
---@param lines selfmind.Chunks[]
---@return table
local function under_opts(bufnr, lines)
  return { virt_lines = wrap(lines, width(bufnr)), invalidate = true, right_gravity = false }
end

---@param bufnr integer
---@param mark selfmind.Mark
---@param row integer
local function put(bufnr, mark, row)
  mark.opts.id = mark.id
  mark.id = api.nvim_buf_set_extmark(bufnr, ns, row, 0, mark.opts)
end

---@class selfmind.NewMark
---@field header boolean
---@field lines? selfmind.Chunks[]
---@field opts table
---@field turn? integer
---@field owner? selfmind.Mark
---@field lasting? boolean

---@param bufnr integer
---@param row integer
---@param mark selfmind.NewMark
---@return selfmind.Mark
local function new(bufnr, row, mark)
  ---@cast mark selfmind.Mark
  mark.row, mark.seq = row, M.undo_state(bufnr)
  put(bufnr, mark, row)
  return mark
end

---@param bufnr integer
---@param row integer an empty line
---@param chunks selfmind.Chunks
---@param turn? integer
---@return selfmind.Mark
function M.header(bufnr, row, chunks, turn)
  return new(bufnr, row, { header = true, opts = header_opts(chunks), turn = turn })
end

---A header that no undo takes away.
---@param bufnr integer
---@param row integer
---@param chunks selfmind.Chunks
---@return selfmind.Mark
function M.title(bufnr, row, chunks)
  local opts = header_opts(chunks)
  opts.invalidate = false
  return new(bufnr, row, { header = true, opts = opts, lasting = true })
end

---@param bufnr integer
---@param row integer
---@param lines selfmind.Chunks[]
---@param owner? selfmind.Mark
---@return selfmind.Mark
function M.under(bufnr, row, lines, owner)
  return new(bufnr, row, { header = false, lines = lines, opts = under_opts(bufnr, lines), owner = owner })
end

---@param bufnr integer
---@param mark selfmind.Mark
---@return integer? row nil when its line is not there
function M.row(bufnr, mark)
  local at = api.nvim_buf_get_extmark_by_id(bufnr, ns, mark.id, { details = true })
  if at[1] and not at[3].invalid then
    return at[1]
  end
end

---Rows of turns' headers, nearest first. Looks at the marks around `from` only, however long the chat is.
---@param bufnr integer
---@param from integer row at which the search begins
---@param step 1|-1 downwards or upwards
---@param count integer how many at most
---@return integer[]
function M.headers(bufnr, from, step, count)
  local limit, rows = 2 * count + 8, {} ---@type integer, integer[] a turn has quiet lines beside its header
  while true do
    local found = api.nvim_buf_get_extmarks(bufnr, ns, { from, step > 0 and 0 or -1 }, step > 0 and -1 or 0, {
      limit = limit,
      details = true,
    })
    for _, mark in ipairs(found) do
      -- The title and the prompt have virtual text too, but no undo takes them away.
      local header = mark[4].virt_text and mark[4].invalidate and not mark[4].invalid
      if header and rows[#rows] ~= mark[2] then
        rows[#rows + 1] = mark[2]
        if #rows == count then
          return rows
        end
      end
    end
    if #found < limit then
      return rows
    end
    limit, rows = limit * 2, {}
  end
end

---Shows something else at the same place; nothing happens when the place is gone.
---@param bufnr integer
---@param mark selfmind.Mark
---@param what selfmind.Chunks|selfmind.Chunks[]
function M.update(bufnr, mark, what)
  if mark.header then
    mark.opts = header_opts(what --[[@as selfmind.Chunks]])
  else
    mark.lines = what --[[@as selfmind.Chunks[] ]]
    mark.opts = under_opts(bufnr, mark.lines)
  end
  local row = M.row(bufnr, mark)
  if row then
    put(bufnr, mark, row)
  end
end

---Wraps the lines underneath anew, for a window that has another width now.
---@param bufnr integer
---@param marks selfmind.Mark[]
function M.rewrap(bufnr, marks)
  for _, mark in ipairs(marks) do
    if mark.lines then
      M.update(bufnr, mark, mark.lines)
    end
  end
end

---@param bufnr integer
---@return table<integer, boolean> undo states that the text at hand is made of
local function states(bufnr)
  local found = {}
  local tree = api.nvim_buf_call(bufnr, vim.fn.undotree)
  for _, entry in ipairs(tree.entries) do
    found[entry.seq] = entry.seq <= tree.seq_cur
  end
  found[0] = true
  return found
end

---@param bufnr integer
---@param mark selfmind.Mark
---@return boolean whether an undo has taken its header away
local function orphaned(bufnr, mark)
  return mark.owner ~= nil and not M.row(bufnr, mark.owner)
end

---After an undo, lines underneath go with their header. After a redo, the lines of the buffer are back and their marks
---are not: puts them where they were made.
---@param bufnr integer
---@param marks selfmind.Mark[] headers before what belongs to them
---@param rows integer how many lines the transcript has
function M.mend(bufnr, marks, rows)
  local here ---@type table<integer, boolean>?
  for _, mark in ipairs(marks) do
    local row = not mark.lasting and M.row(bufnr, mark)
    if row and orphaned(bufnr, mark) then
      api.nvim_buf_del_extmark(bufnr, ns, mark.id)
    elseif row == nil and mark.row < rows and not orphaned(bufnr, mark) then
      here = here or states(bufnr)
      local line = api.nvim_buf_get_lines(bufnr, mark.row, mark.row + 1, false)[1]
      if here[mark.seq] and (line == '' or not mark.header) then
        put(bufnr, mark, mark.row)
      end
    end
  end
end

return M
