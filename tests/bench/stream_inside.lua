-- Inside the Neovim that bench/stream.lua measures from outside: timer gaps, when text came, when keys were answered.
-- And the other way of showing a reply, for comparison: each piece is written as it comes, into a buffer that
-- tree-sitter highlights.

local M = {}

local uv = vim.uv
local api = vim.api

local SETTLE_MS = 1000 -- after the end of a reply, in which what it left to do is done

local ticks = {} ---@type number[] ms at which the timer ran
local changes = {} ---@type number[] ms at which text of the reply came into its buffer
local keys = {} ---@type number[] ms at which a typed key was answered

---@return number
local function now()
  return uv.hrtime() / 1e6
end

---Begins to measure.
---@param opts { bufnr: integer, first: string, result: string } the reply begins with `first`
function M.watch(opts)
  local timer = assert(uv.new_timer())
  timer:start(1, 1, function()
    ticks[#ticks + 1] = now()
  end)
  api.nvim_buf_attach(opts.bufnr, false, {
    on_lines = function(_, _, _, first, _, last)
      -- The message that is sent is a change as well.
      local text = changes[1] or table.concat(api.nvim_buf_get_lines(opts.bufnr, first, last, false))
      if changes[1] or text:find(opts.first, 1, true) then
        changes[#changes + 1] = now()
      end
    end,
  })
  vim.keymap.set('n', '<F12>', function()
    keys[#keys + 1] = now()
  end)
  M.ended = function()
    local at = now()
    M.ended = function() end
    local settled = assert(uv.new_timer())
    settled:start(SETTLE_MS, 0, function()
      timer:stop()
      local text = vim.json.encode({ ticks = ticks, changes = changes, keys = keys, ended = at })
      local file = assert(io.open(opts.result .. '.new', 'w'))
      file:write(text)
      file:close()
      assert(uv.fs_rename(opts.result .. '.new', opts.result))
    end)
  end
  api.nvim_create_autocmd('User', {
    pattern = 'SelfMindTurnDone',
    callback = function()
      M.ended()
    end,
  })
end

---Drops what was measured before now.
function M.reset()
  ticks, changes, keys = { now() }, {}, {}
end

---Opens a buffer that shows replies the other way, with `lines` in it; its <CR> asks for one.
---@param port integer
---@param lines string[]
---@return integer bufnr
function M.open_plain(port, lines)
  vim.cmd('botright vsplit | enew')
  local bufnr = api.nvim_get_current_buf()
  vim.bo[bufnr].buftype = 'nofile'
  api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.treesitter.start(bufnr, 'markdown')
  api.nvim_win_set_cursor(0, { api.nvim_buf_line_count(bufnr), 0 })

  ---@param text string
  local function write(text)
    local last = api.nvim_buf_line_count(bufnr) - 1
    local line = api.nvim_buf_get_lines(bufnr, last, last + 1, false)[1]
    api.nvim_buf_set_text(bufnr, last, #line, last, #line, vim.split(text, '\n', { plain = true }))
    api.nvim_win_set_cursor(0, { api.nvim_buf_line_count(bufnr), 0 })
  end

  local function hear(socket, line)
    local json = line:match('^data: (.*)$')
    local event = json and vim.json.decode(json) or {}
    if event.type == 'content_block_delta' and event.delta.text then
      vim.schedule(function()
        write(event.delta.text)
      end)
    elseif event.type == 'message_stop' then
      vim.schedule(function()
        M.ended()
      end)
      socket:close()
    end
  end

  local function ask()
    local body = vim.json.encode({
      model = 'claude-opus-4-8',
      max_tokens = 64000,
      stream = true,
      messages = { { role = 'user', content = 'Tell me a long story.' } },
    })
    local socket, rest = assert(uv.new_tcp()), ''
    socket:connect('127.0.0.1', port, function(err)
      assert(not err, err)
      socket:write(table.concat({
        'POST /v1/messages HTTP/1.1',
        'host: localhost',
        'content-type: application/json',
        'x-api-key: test-key',
        'anthropic-version: 2023-06-01',
        'content-length: ' .. #body,
        '',
        body,
      }, '\r\n'))
      socket:read_start(function(_, bytes)
        rest = rest .. (bytes or '')
        local at = 1
        -- An event's data is a line of its own, whatever HTTP has around it.
        for line, after in rest:gmatch('([^\n]*)\n()') do
          at = after
          hear(socket, line)
        end
        rest = rest:sub(at)
      end)
    end)
  end
  vim.keymap.set('n', '<CR>', ask, { buffer = bufnr })
  return bufnr
end

return M
