-- :checkhealth selfmind. The one place that may wait for the host, two seconds at most.

local M = {}

local config = require('selfmind.config')
local host = require('selfmind.host')
local protocol = require('selfmind.protocol')

local WAIT_MS = 2000

local function check_neovim()
  vim.health.start('Neovim')
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.10') == 1 then
    vim.health.ok('Neovim ' .. version)
  else
    vim.health.error(('Neovim %s is too old'):format(version), 'Install Neovim 0.10 or newer.')
  end
end

local function check_settings()
  vim.health.start('Settings')
  local problems = config.problems()
  for _, problem in ipairs(problems) do
    vim.health.warn(problem, 'The setting is ignored; see :help selfmind-settings.')
  end
  if #problems == 0 then
    vim.health.ok('the settings are understood')
  end
end

---@return selfmind.Hello?
local function greet()
  local answered = false
  if not host.info() then
    -- Any method will do: it starts the host and is answered after the greeting.
    host.notify('memory.list', { folder = vim.fn.getcwd() }, function()
      answered = true
    end)
    vim.wait(WAIT_MS, function()
      return answered
    end, 10)
  end
  return host.info()
end

---@param hello selfmind.Hello
local function check_claude(hello)
  vim.health.start('Claude')
  vim.health.info(('answers: %s, learns: %s, at %s'):format(hello.chat_model, hello.memory_model, hello.base_url))
  if hello.online then
    vim.health.ok('a key is set, or the server needs none')
  elseif config.get().api_key then
    vim.health.ok('the setting api_key is asked for the key when the first message is sent')
  else
    local advice = {
      'Set ANTHROPIC_API_KEY in the environment Neovim is started from, or the setting api_key.',
      'Without it messages are kept and answered from memory alone, and every memory command works.',
    }
    if vim.fn.has('gui_running') == 1 or not vim.env.SHLVL then
      table.insert(
        advice,
        'A graphical Neovim may not see what the shell exports: start it from a terminal, or set api_key.'
      )
    end
    vim.health.warn(hello.offline_why ~= '' and hello.offline_why or 'offline', advice)
  end
end

local function check_host()
  vim.health.start('Host')
  local cmd = host.find()
  if not cmd then
    vim.health.error(host.missing_message())
    return
  end
  vim.health.ok('program: ' .. cmd[1])
  local hello = greet()
  if not hello then
    vim.health.error('the host does not answer, or speaks another protocol', {
      ('Run %s and start Neovim again.'):format(host.build_command()),
      ':SelfMind log shows what it said.',
    })
    return
  end
  vim.health.ok(('version %s, protocol %d (the plugin: %s, %d)'):format(
    hello.version,
    hello.protocol,
    protocol.plugin,
    protocol.version
  ))
  vim.health.start('Store')
  vim.health.ok('--db ' .. hello.db)
  vim.health.info(('schema %s, SQLite %s, journal %s'):format(hello.schema, hello.sqlite, hello.journal))
  if hello.read_only and hello.read_only ~= '' then
    vim.health.warn(type(hello.read_only) == 'string' and hello.read_only or 'the store is opened read-only')
  end
  check_claude(hello)
end

function M.check()
  check_neovim()
  check_settings()
  check_host()
end

return M
