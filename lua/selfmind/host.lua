-- The host process: found, started at the first use, greeted, asked; started again when it has gone. One per editor.
-- Everything sent is a notification with an id; the answer comes back through events.lua, which hands it to `answer`.
-- Nothing here ever waits.

local M = {}

local config = require('selfmind.config')
local log = require('selfmind.log')
local protocol = require('selfmind.protocol')
local validate = require('selfmind.validate')

local STARTS_MAX = 3 -- a host that ends so often at its start is not started again by itself
local STUCK_MS = 1000 -- one that is silent for so long is not asked to end, but killed
local PIPE_BYTES = 8192 -- so much the system takes even if nobody reads
local LEAVE_MS = 2000 -- in which a host, on a busy machine too, has to read what an editor that quits has sent

M.silence_ms = 10000 -- a host that has answered nothing by then is worth a word; tests are less patient

---@class selfmind.Process
---@field channel integer
---@field cmd string[]
---@field stamp? string its program's, when it was started
---@field settings table what it was greeted with
---@field greeted boolean
---@field hello? selfmind.Hello
---@field key_sent boolean
---@field leaving boolean we asked it to go
---@field pending table<integer, selfmind.Callback>
---@field queue { [1]: string, [2]: table }[] what waits for the greeting
---@field stderr string the last line it wrote there
---@field unread integer bytes it may not have read yet
---@field heard integer ms: its last sign of life, or when the oldest unanswered call began to wait
---@field watched boolean a timer looks for silence
---@field silent boolean its silence was reported
---@field replaced boolean that its program was replaced was reported

local process ---@type selfmind.Process?
local failed_starts = 0 -- in a row
local failed_stamp ---@type string? of the program that failed so
local failed_last = false -- the last start did not lead to a greeting
local recording ---@type string? the file the host records into
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

---@return integer ms
local function now()
  return math.floor(vim.uv.hrtime() / 1e6)
end

---@param cmd string[]
---@return string? what tells one build of a program from the next
local function stamp(cmd)
  local stat = vim.uv.fs_stat(vim.fn.exepath(cmd[1]))
  return stat and ('%d %d %d.%d'):format(stat.ino, stat.size, stat.mtime.sec, stat.mtime.nsec)
end

---@return selfmind.Hello? what the host said of itself, once it has
function M.info()
  return process and process.hello
end

---@return boolean
function M.running()
  return process ~= nil
end

---Whether a call would be answered, as far as is known: for what is done without the user's asking.
---@return boolean
function M.usable()
  return process ~= nil or (not failed_last and M.find() ~= nil)
end

---@return boolean whether the settings have changed since the host was started
function M.outdated()
  return process ~= nil and not vim.deep_equal(process.settings, config.for_host())
end

---@return boolean whether the host was given the key of the setting api_key
function M.key_sent()
  return process ~= nil and process.key_sent
end

---@return string? path of what the host records, or will from the next use on
function M.recording()
  return recording
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

---@param text string
---@return string without the full stop at its end, so that a sentence can go on behind it
local function open_end(text)
  return (text:gsub('%.$', ''))
end

---What to say of a host that ended before it was greeted.
---@param dead selfmind.Process
---@param code integer
---@param said string
---@return string
local function start_failure(dead, code, said)
  failed_last = true
  if recording then
    recording = nil -- it may be the file that hinders it
    return ('nothing is recorded, the host did not start (code %d).%s'):format(code, said)
  end
  failed_starts = failed_stamp == dead.stamp and failed_starts + 1 or 1
  failed_stamp = dead.stamp
  if failed_starts >= STARTS_MAX then
    return ('the host ended at its start %d times in a row (code %d) and is not started again.%s '
      .. ':SelfMind log shows more, :SelfMind restart tries again.'):format(failed_starts, code, said)
  end
  return ('the host ended unexpectedly (code %d).%s If it was built for another version, run %s.'):format(
    code,
    said,
    M.build_command()
  )
end

---@param dead selfmind.Process
---@param code integer
local function on_exit(dead, code)
  -- An editor that quits must start and say nothing.
  if vim.v.exiting ~= vim.NIL or dead.leaving then
    return
  end
  -- Neovim reports code 0 for a channel it closed because of nonsense, so every unasked end is a failure.
  local said = dead.stderr ~= '' and (' It said: %s.'):format(open_end(dead.stderr)) or ''
  -- The usual one fits on a line, so that it does not ask for <CR>.
  local message = dead.greeted and ('the host ended (code %d).%s The next use starts it again.'):format(code, said)
    or start_failure(dead, code, said)
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
  to.unread = to.unread + #(params.text or '')
  -- The channel may be closed while on_exit is still on its way: that one reports it.
  return (pcall(vim.rpcnotify, to.channel, method, id, params))
end

---Says so, once, when calls wait and nothing at all comes back.
---@param owner selfmind.Process
---@param after integer ms
local function watch_silence(owner, after)
  owner.watched = true
  vim.defer_fn(function()
    owner.watched = false
    if process ~= owner or owner.silent or next(owner.pending) == nil then
      return
    end
    local left = owner.heard + M.silence_ms - now()
    if left > 0 then
      return watch_silence(owner, left)
    end
    owner.silent = true
    log.warn(('no answer from the host for %g s: :SelfMind restart replaces it'):format(M.silence_ms / 1000))
  end, after)
end

---@param callback? selfmind.Callback
---@return integer id
local function remember_callback(callback)
  if not callback then
    return 0
  end
  if next(process.pending) == nil then
    process.heard = now()
  end
  last_id = last_id + 1
  process.pending[last_id] = callback
  if not process.watched then
    watch_silence(process, M.silence_ms)
  end
  return last_id
end

---The host has said something, whatever it was.
function M.heard()
  if process then
    process.heard = now()
    process.silent = false
  end
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

---@param owner selfmind.Process
local function kill(owner)
  local known, pid = pcall(vim.fn.jobpid, owner.channel)
  if known then
    vim.uv.kill(pid, 'sigkill')
  end
end

---Whether the host still reads. Waits, because Neovim would: for ever, if what was sent does not fit into the pipe.
---@param owner selfmind.Process
---@return boolean
local function reads(owner)
  if owner.unread < PIPE_BYTES then
    return true
  end
  local answered = false
  -- It is answered as soon as it is read: no chat has this id.
  send(owner, 'turn.stop', remember_callback(function()
    answered = true
  end), { chat = 0 })
  return (vim.wait(LEAVE_MS, function()
    return answered
  end, 5))
end

-- An editor that quits hears no greeting any more; the host works off what it is sent all the same.
vim.api.nvim_create_autocmd('VimLeavePre', {
  group = vim.api.nvim_create_augroup('selfmind.host', {}),
  callback = function()
    if not process then
      return
    end
    local leaver = process
    if leaver.silent then
      return kill(leaver) -- a stopped process would stay behind
    end
    open_queue(leaver)
    if not reads(leaver) then
      kill(leaver)
    end
  end,
})

---Sends a host away: it ends in good order, and at once when it is stuck. Nothing more is heard of it.
---@param leaver selfmind.Process
---@param message string for those who wait for an answer
local function send_away(leaver, message)
  leaver.leaving = true
  if next(leaver.pending) ~= nil and now() - leaver.heard > STUCK_MS then
    kill(leaver)
  end
  pcall(vim.fn.jobstop, leaver.channel)
  bury(leaver, message)
end

---@param greeted selfmind.Process
---@param message string
local function dismiss(greeted, message)
  failed_last = true
  log.error(message)
  send_away(greeted, message)
end

---@param greeted selfmind.Process
---@param err? selfmind.Error
---@param hello? selfmind.Hello
local function on_hello(greeted, err, hello)
  if err then
    if err.kind == 'host' then
      return -- it died meanwhile, and that was said
    end
    return dismiss(greeted, err.message)
  end
  if hello.protocol ~= protocol.version then
    local mend = hello.protocol < protocol.version and ('run %s, then :SelfMind restart'):format(M.build_command())
      or 'the plugin in this Neovim is the older one, restart Neovim or update the plugin'
    local message = 'the host speaks protocol %s and the plugin %d: %s'
    return dismiss(greeted, message:format(hello.protocol, protocol.version, mend))
  end
  failed_starts, failed_last = 0, false
  greeted.hello = hello
  if type(hello.read_only) == 'string' and hello.read_only ~= '' then
    log.warn_once(hello.read_only)
  end
  local useless = config.useless_to_host(hello.useless or {}) -- a host of the same protocol may be older
  if #useless > 0 then
    log.warn_once(table.concat(useless, '; '))
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
  local built = stamp(cmd)
  if failed_starts >= STARTS_MAX and failed_stamp == built then
    return false, 'the host fails at its start: :SelfMind log shows why, :SelfMind restart tries again'
  end
  ---@type selfmind.Process
  local new = {
    channel = 0,
    cmd = cmd,
    stamp = built,
    settings = config.for_host(),
    greeted = false,
    key_sent = false,
    leaving = false,
    pending = {},
    queue = {},
    stderr = '',
    unread = 0,
    heard = now(),
    watched = false,
    silent = false,
    replaced = false,
  }
  local ok, channel = pcall(vim.fn.jobstart, recording and vim.list_extend(cmd, { '--record', recording }) or cmd, {
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
  send(new, 'hello', id, { protocol = protocol.version, plugin = protocol.plugin, settings = new.settings })
  return true
end

---Says once of a host that its program is not the one that was started.
---@param owner selfmind.Process
local function look_at_program(owner)
  local built = not owner.replaced and stamp(owner.cmd)
  if built and built ~= owner.stamp then
    owner.replaced = true
    log.warn('the host was built anew: :SelfMind restart changes to the new one')
  end
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
  look_at_program(process)
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
  if id == last_id then
    process.unread = 0 -- it reads in order
  end
  give(callback, err, result or {})
end

---For `:SelfMind restart`: ends the host, if need be by force, and starts a new one.
function M.restart()
  failed_starts = 0
  if process then
    send_away(process, 'the host was started anew')
  end
  local started, why = start()
  if not started then
    return log.error(why --[[@as string]])
  end
  log.info('the host was started anew')
end

---Records what the host does from its next start on, which is at the next use; nil ends it.
---@param path? string
function M.record(path)
  recording = path
  if process then
    send_away(process, 'the host was ended to record')
  end
end

---Asks the user's `api_key` function and passes on what it returns, once per host. Called before a message is sent.
function M.send_key()
  local api_key = config.get().api_key
  if not api_key or (process and process.key_sent) or not (process or M.find()) then
    return
  end
  local ok, key = pcall(api_key)
  if not ok then
    local reason = vim.trim(tostring(key)):match('[^\n]*')
    return log.warn_once('the setting api_key failed: ' .. (reason == '' and 'no reason given' or log.masked(reason)))
  end
  if key ~= nil and type(key) ~= 'string' then
    return log.warn_once(('the setting api_key must return the key as a string, not a %s'):format(type(key)))
  end
  key = vim.trim(key or '')
  if key == '' then
    return
  end
  if key:find('[%s%c]') then
    return log.warn_once('the setting api_key must return the key alone, not several words or lines')
  end
  M.notify('key.set', { api_key = key })
  if process then
    process.key_sent = true
  end
end

return M
