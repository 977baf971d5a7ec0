-- A user's world for one test: a home and projects of its own, a server, and the Neovims started in it.

local M = {}

local neovim = require('support.neovim')
local server = require('support.server')

local World = {}
World.__index = World

---@param opts? { offline?: boolean, server?: table, env?: table<string, string> }
function M.new(opts)
  opts = opts or {}
  local self = setmetatable({ editors = {}, root = vim.uv.fs_realpath(vim.fn.tempname():match('.*/')) }, World)
  self.root = vim.uv.fs_mkdtemp(self.root .. '/world-XXXXXX')
  self.env = {
    PATH = vim.env.PATH,
    HOME = self.root,
    LANG = 'C.UTF-8',
    TERM = 'xterm-256color',
    TMPDIR = vim.env.TMPDIR,
    ASAN_OPTIONS = vim.env.ASAN_OPTIONS,
  }
  for _, name in ipairs({ 'CONFIG', 'DATA', 'STATE', 'CACHE', 'RUNTIME' }) do
    local folder = self.root .. '/' .. name:lower()
    vim.fn.mkdir(folder, 'p', '0700')
    self.env['XDG_' .. name .. (name == 'RUNTIME' and '_DIR' or '_HOME')] = folder
  end
  if not opts.offline then
    self.server = server.start(opts.server)
    self.env.ANTHROPIC_BASE_URL = self.server.url
    self.env.ANTHROPIC_API_KEY = 'test-key'
  end
  for name, value in pairs(opts.env or {}) do
    self.env[name] = value ~= '' and value or nil
  end
  return self
end

---@param name string
---@return string path of a folder that is a project
function World:project(name)
  local path = self.root .. '/' .. name
  vim.fn.mkdir(path, 'p')
  return path
end

---@param opts? { project?: string, settings?: string, columns?: integer, lines?: integer, commands?: string[] }
---@return e2e.Neovim
function World:editor(opts)
  opts = opts or {}
  local init = self.root .. '/init.lua'
  vim.fn.writefile({
    'vim.opt.runtimepath:prepend(' .. vim.inspect(vim.g.selfmind_root) .. ')',
    'vim.o.swapfile = false',
    'vim.o.shadafile = "NONE"',
    -- A machine that builds beside the tests may not give a thread its turn for longer than the default.
    'vim.g.selfmind = vim.tbl_extend("force", { recall_deadline = 10000, host = { cmd = '
      .. vim.inspect(vim.env.SELFMIND_BIN .. '/selfmind-host')
      .. ' } }, '
      .. (opts.settings or '{}')
      .. ')',
  }, init)
  local args = { '--clean', '-i', 'NONE', '-u', init }
  for _, command in ipairs(opts.commands or {}) do
    vim.list_extend(args, { '-c', command })
  end
  local editor = neovim.start({
    nvim = vim.env.SELFMIND_NVIM,
    args = args,
    env = self.env,
    cwd = self:project(opts.project or 'project'),
    columns = opts.columns,
    lines = opts.lines,
  })
  table.insert(self.editors, editor)
  return editor
end

---Opens the chat and waits until it can be typed in.
---@param editor e2e.Neovim
---@param command? string
function World:chat(editor, command)
  local before = editor:lua('return vim.api.nvim_get_current_buf()')
  editor:command('SelfMind ' .. (command or 'chat'))
  editor:wait('the chat', function()
    return editor:lua("return vim.bo.filetype == 'selfmind' and vim.api.nvim_get_current_buf() ~= ...", before)
  end)
end

---Types a message into the chat and sends it.
function World:say(editor, text)
  editor:type('<C-\\><C-n>GA' .. text:gsub('<', '<lt>') .. '<C-\\><C-n><CR>')
end

---Sends a message that is answered with a story of numbered lines, and waits until some of it has come.
---@param editor e2e.Neovim
---@param lines integer
---@param name? string a word of each line
---@return string the whole reply
function World:begin_story(editor, lines, name)
  local list = {}
  for i = 1, lines do
    list[i] = ('line %d of the story %s'):format(i, name or 'told')
  end
  local whole = table.concat(list, '\n')
  self.server:next({ match = { kind = 'chat' }, text = whole, chunk_ms = 5 })
  self:say(editor, 'Tell me a story.')
  self:read(editor, 'line 20 of the story')
  return whole
end

---@return string[] what went wrong in the editor
function World:errors(editor)
  local text = editor:lua("return vim.api.nvim_exec2('messages', { output = true }).output")
  return vim.tbl_filter(function(line)
    return line:find('E%d+:') ~= nil or line:find('rror') ~= nil
  end, vim.split(text, '\n'))
end

---@return string all text of the chat
function World:text(editor)
  return editor:lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')")
end

---Waits until the chat's text has `text`.
function World:read(editor, text)
  editor:wait(('"%s" in the chat'):format(text), function()
    return self:text(editor):find(text, 1, true)
  end)
end

---@return boolean whether a reply is being written
function World:busy(editor)
  return editor:lua([[
    local conversation = require('selfmind.chat.conversations').in_buffer(vim.api.nvim_get_current_buf())
    return conversation ~= nil and conversation.busy
  ]])
end

---@return integer pid of the host that `editor` runs
function World:host_pid(editor)
  return editor:lua([[
    for _, channel in ipairs(vim.api.nvim_list_chans()) do
      if channel.mode == 'rpc' and channel.argv then
        return vim.fn.jobpid(channel.id)
      end
    end
  ]])
end

---@param pid integer
---@return boolean
function M.alive(pid)
  -- A process that has ended and was not yet waited for by its parent still takes signal 0.
  local stat = vim.uv.fs_open('/proc/' .. pid .. '/stat', 'r', 0)
  if not stat then
    return vim.uv.kill(pid, 0) == 0
  end
  local text = vim.uv.fs_read(stat, 500) or ''
  vim.uv.fs_close(stat)
  return text:match('%) (%a)') ~= 'Z'
end

---Runs the host's command line on this world's store.
---@param ... string
---@return { code: integer, stdout: string, stderr: string }
function World:host(...)
  return vim
    .system({ vim.env.SELFMIND_BIN .. '/selfmind-host', ... }, {
      cwd = self:project('project'),
      env = self.env,
      text = true,
    })
    :wait(60000)
end

---@return table[] the memories in the store
function World:memories(...)
  return vim.json.decode(self:host('memories', '--json', ...).stdout)
end

---@param bytes string
---@return string? the file in the store's folder that has them, be it a journal
function World:holder(bytes)
  for name in vim.fs.dir(self.root .. '/data/selfmind') do
    local file = io.open(self.root .. '/data/selfmind/' .. name, 'rb')
    local all = file and file:read('*a') or '' -- a journal may just have gone
    if file then
      file:close()
    end
    if all:find(bytes, 1, true) then
      return name
    end
  end
end

function World:close()
  for _, editor in ipairs(self.editors) do
    editor:kill()
  end
  if self.server then
    self.server:stop()
  end
  vim.fn.delete(self.root, 'rf')
end

return M
