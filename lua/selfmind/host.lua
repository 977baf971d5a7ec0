-- The host process: found, started at the first use, greeted, asked. One per editor. Everything sent is a notification
-- with an id; the answer comes back through events.lua, which hands it to `answer`. Nothing here ever waits.

local M = {}

local config = require('selfmind.config')
local log = require('selfmind.log')
local protocol = require('selfmind.protocol')
local validate = require('selfmind.validate')

local SILENCE_MS = 10000 -- a host that has not answered the greeting by then is worth a word

---@class selfmind.Process
---@field channel integer
---@field greeted boolean
---@field hello? selfmind.Hello
---@field key_sent boolean
---@field leaving boolean we asked it to go
---@field pending table<integer, selfmind.Callback>
---@field queue { [1]: string, [2]: table }[] what waits for the greeting
---@field stderr string the last line it wrote there

local process ---@type selfmind.Process?
local last_id = 0
local watchers = {} ---@type fun()[]

---@return string the plugin's own folder
function M.plugin_folder()
  local source = debug.getinfo(1, 'S').source:sub(2)
  return vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(source) or source)))
end

---@return string the command that builds the host, as typed in Neovim
function M.build_command()
  return (':!make -C %s build'):format(vim.fn.fnameescape(M.plugin_folder()))
end

---@return string[]? cmd program and arguments; nil when there is none
function M.find()
  local set = config.get().host.cmd
  if set then
    local cmd = type(set) == 'table' and vim.deepcopy(set) or { set }
    cmd[1] = vim.fs.normalize(cmd[1])
    return vim.fn.executable(cmd[1]) == 1 and cmd or nil
  end
  local name = vim.fn.has('win32') == 1 and 'selfmind-host.exe' or 'selfmind-host'
  local built = vim.fs.joinpath(M.plugin_folder(), 'build', 'bin', name)
  local path = vim.fn.executable(built) == 1 and built or vim.fn.exepath(name)
  return path ~= '' and { path } or nil
end

---@return string one sentence, with what mends it
function M.missing_message()
  local set = config.get().host.cmd
  if set then
    local program = type(set) == 'table' and set[1] or set
    return ('host.cmd names %s, which cannot be run: correct the setting'):format(program)
  end
  return 'the host program is not built: run ' .. M.build_command()
end

---@return selfmind.Hello? what the host said of itself, once it has
function M.info()
  return process and process.hello
end

---@return boolean
function M.running()
  return process ~= nil
end

---@param callback fun() called whenever a host has gone
function M.on_gone(callback)
  watchers[#watchers + 1] = callback
end

---@param callback selfmind.Callback?
---@param err? selfmind.Error
---@param result? table
local function give(callback, err, result)
  if callback then
    local ok, why = xpcall(callback, debug.traceback, err, result)
    if not ok then
      log.error('internal error: ' .. tostring(why))
    end
  end
end

---Forgets the process and answers everyone who still waits for it.
---@param gone selfmind.Process
---@param message string
local function bury(gone, message)
  if process == gone then
    process = nil
  end
  local pending = gone.pending
  gone.pending = {}
  for _, callback in pairs(pending) do
    give(callback, { kind = 'host', message = message })
  end
  for _, watcher in ipairs(watchers) do
    watcher()
  end
end

---@param dead selfmind.Process
---@param code integer
local function on_exit(dead, code)
  -- An editor that quits must start and say nothing.
  if vim.v.exiting ~= vim.NIL or dead.leaving then
    return
  end
  -- Neovim reports code 0 for a channel it closed because of nonsense, so every unasked end is a failure.
  local said = dead.stderr ~= '' and (' It said: %s.'):format((dead.stderr:gsub('%.$', ''))) or ''
  -- The usual one fits on a line, so that it does not ask for <CR>.
  local message = ('the host ended (code %d).%s The next use starts it again.'):format(code, said)
  if not dead.greeted then
    message = ('the host ended unexpectedly (code %d).%s If it was built for another version, run %s.'):format(
      code,
      said,
      M.build_command()
    )
  end
  log.error(message)
  bury(dead, message)
end

---@param owner selfmind.Process
---@param lines string[]
local function on_stderr(owner, lines)
  for _, line in ipairs(lines) do
    if line ~= '' then
      owner.stderr = line
      log.debug('host: ' .. line)
    end
  end
end

---@param to selfmind.Process
---@param method string
---@param id integer
---@param params table
---@return boolean sent
local function send(to, method, id, params)
  -- The channel may be closed while on_exit is still on its way: that one reports it.
  return (pcall(vim.rpcnotify, to.channel, method, id, params))
end

---@param callback? selfmind.Callback
---@return integer id
local function remember_callback(callback)
  if not callback then
    return 0
  end
  last_id = last_id + 1
  process.pending[last_id] = callback
  return last_id
end

---Sends what has waited for the greeting, and lets nothing wait any more.
---@param greeted selfmind.Process
local function open_queue(greeted)
  greeted.greeted = true
  local queue = greeted.queue
  greeted.queue = {}
  for _, call in ipairs(queue) do
    send(greeted, unpack(call))
  end
end

-- An editor that quits hears no greeting any more; the host works off what it is sent all the same.
vim.api.nvim_create_autocmd('VimLeavePre', {
  group = vim.api.nvim_create_augroup('selfmind.host', {}),
  callback = function()
    if process then
      open_queue(process)
    end
  end,
})

---@param greeted selfmind.Process
---@param message string
local function dismiss(greeted, message)
  greeted.leaving = true
  pcall(vim.fn.jobstop, greeted.channel)
  log.error(message)
  bury(greeted, message)
end

---@param greeted selfmind.Process
---@param err? selfmind.Error
---@param hello? selfmind.Hello
local function on_hello(greeted, err, hello)
  if err then
    if err.kind == 'host' then
      return -- it died meanwhile, and that was said
    end
    local mend = err.kind == 'protocol' and (': run %s'):format(M.build_command()) or ''
    return dismiss(greeted, err.message .. mend)
  end
  if hello.protocol ~= protocol.version then
    local message = 'the host speaks protocol %s and the plugin %d: run %s'
    return dismiss(greeted, message:format(hello.protocol, protocol.version, M.build_command()))
  end
  greeted.hello = hello
  if type(hello.read_only) == 'string' and hello.read_only ~= '' then
    log.warn_once(hello.read_only)
  end
  open_queue(greeted)
end

---@return boolean started
---@return string? why not
local function start()
  local cmd = M.find()
  if not cmd then
    return false, M.missing_message()
  end
  ---@type selfmind.Process
  local new = { greeted = false, key_sent = false, leaving = false, pending = {}, queue = {}, stderr = '', channel = 0 }
  local ok, channel = pcall(vim.fn.jobstart, cmd, {
    rpc = true,
    detach = true, -- it ends by itself at the end of its input; `:qa` must not wait for it
    on_stderr = function(_, lines)
      on_stderr(new, lines)
    end,
    on_exit = function(_, code)
      on_exit(new, code)
    end,
  })
  if not ok or channel <= 0 then
    return false, ('%s cannot be started: run %s'):format(cmd[1], M.build_command())
  end
  new.channel = channel
  process = new
  local id = remember_callback(function(err, hello)
    on_hello(new, err, hello)
  end)
  send(new, 'hello', id, { protocol = protocol.version, plugin = protocol.plugin, settings = config.for_host() })
  vim.defer_fn(function()
    if process == new and not new.greeted then
      log.warn(('the host (%s) has not answered for %d seconds'):format(cmd[1], SILENCE_MS / 1000))
    end
  end, SILENCE_MS)
  return true
end

---Sends one method. `callback`, if any, hears exactly once.
---@param method string
---@param params table
---@param callback? selfmind.Callback
function M.notify(method, params, callback)
  validate('method', method, 'string')
  validate('params', params, 'table')
  validate('callback', callback, 'callable', true)
  if not process then
    local started, why = start()
    if not started then
      log.error(why --[[@as string]])
      return give(callback, { kind = 'host', message = why })
    end
  end
  local id = remember_callback(callback)
  if process.greeted then
    send(process, method, id, params)
  else
    table.insert(process.queue, { method, id, params })
  end
end

---The door for events.lua: an answer has come.
---@param id integer
---@param err? selfmind.Error
---@param result? table
function M.answer(id, err, result)
  local callback = process and process.pending[id]
  if not callback then
    return log.debug('an answer nobody waits for: ' .. tostring(id))
  end
  process.pending[id] = nil
  give(callback, err, result or {})
end

---Asks the user's `api_key` function and passes on what it returns, once per host. Called before a message is sent.
function M.send_key()
  local api_key = config.get().api_key
  if not api_key or (process and process.key_sent) or not (process or M.find()) then
    return
  end
  local ok, key = pcall(api_key)
  if not ok or (key ~= nil and type(key) ~= 'string') then
    -- Not the error's text: it may quote the key.
    return log.warn_once('the setting api_key failed: it must return the key as a string')
  end
  key = vim.trim(key or '')
  if key == '' then
    return
  end
  M.notify('key.set', { api_key = key })
  if process then
    process.key_sent = true
  end
end

return M
