-- :checkhealth selfmind. The one place that may wait for the host, two seconds at most.

local M = {}

local config = require('selfmind.config')
local host = require('selfmind.host')
local protocol = require('selfmind.protocol')
local schema = require('selfmind.schema')

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

---@return selfmind.Hello?
local function greet()
  local answered = false
  if not host.info() and host.find() then
    -- Any method will do: it starts the host and is answered after the greeting.
    host.notify('memory.list', { folder = vim.fn.getcwd() }, function()
      answered = true
    end)
    vim.wait(WAIT_MS, function()
      return answered
    end, 10)
  end
  local hello = host.info()
  -- A host of the same protocol may be older than these.
  return hello and vim.tbl_extend('keep', hello, {
    settings = {},
    useless = {},
    lacking = '',
    key = '',
    network = {},
  })
end

---@param url string
---@return string without a user name and password
local function without_credentials(url)
  return (url:gsub('^(%w+://)[^/?#]*@', '%1'))
end

---One line: the value that counts, and who named it.
---@param setting selfmind.Setting
---@param hello? selfmind.Hello
---@return string
local function setting_line(setting, hello)
  local value, source = config.value(setting.key)
  local told = setting.host and hello and hello.settings[setting.key]
  if told then
    value = told.value
    source = told.from ~= 'editor' and told.from ~= 'default' and 'environment, ' .. told.from or source
  elseif setting.host and value == nil then
    value = setting.host_default
  elseif setting.key == 'secrets.patterns' and value then
    value = ('(%d given)'):format(#value) -- they are what should stand nowhere
  elseif type(value) == 'string' then
    value = without_credentials(value)
  end
  if setting.key == 'api_key' then
    return 'api_key: ' .. (value and ('a function (%s)'):format(source) or 'not set (default)')
  end
  return ('%s = %s (%s)'):format(setting.key, value == nil and 'not set' or schema.show(value), source or 'default')
end

---@param hello? selfmind.Hello
local function check_settings(hello)
  vim.health.start('Settings')
  local problems = config.problems()
  for _, problem in ipairs(problems) do
    vim.health.warn(problem, 'The setting is ignored; see :help selfmind-settings.')
  end
  if #problems == 0 then
    vim.health.ok('the settings are understood')
  end
  if host.outdated() then
    vim.health.warn('the settings have changed since the host was started', 'Run :SelfMind restart.')
  end
  for _, setting in ipairs(schema.settings) do
    vim.health.info(setting_line(setting, hello))
  end
  local useless = config.ineffective()
  if hello then
    vim.list_extend(useless, config.useless_to_host(hello.useless))
  end
  for _, sentence in ipairs(useless) do
    vim.health.info(sentence)
  end
  if hello and hello.lacking ~= '' then
    vim.health.info(hello.lacking)
  end
end

---@param hello selfmind.Hello
local function check_key(hello)
  if hello.key ~= '' and not config.get().api_key then
    vim.health.ok('a key is set: ' .. hello.key)
  elseif host.key_sent() then
    vim.health.ok('a key is set: the setting api_key returned one')
  elseif config.get().api_key then
    vim.health.ok('the setting api_key is asked for the key when the first message is sent')
  elseif hello.online then
    vim.health.ok('no key is set, and the server may need none')
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

---@param hello selfmind.Hello
local function check_claude(hello)
  vim.health.start('Claude')
  local learns = config.get().learning ~= 'off' and hello.memory_model or 'nothing'
  vim.health.info(('answers: %s, learns: %s, at %s'):format(hello.chat_model, learns, hello.base_url))
  check_key(hello)
  local names = vim.tbl_keys(hello.network)
  table.sort(names)
  for _, name in ipairs(names) do
    local path = hello.network[name]
    if vim.startswith(name, 'SSL_') and not vim.uv.fs_stat(path) then
      vim.health.warn(('%s = %s cannot be read'):format(name, path), 'Correct the variable, or unset it.')
    else
      vim.health.info(('%s = %s'):format(name, path))
    end
  end
  if #names == 0 then
    vim.health.info('no proxy and no certificates of your own in the environment')
  end
end

---@param hello? selfmind.Hello
local function check_host(hello)
  vim.health.start('Host')
  local cmd = host.find()
  if not cmd then
    vim.health.error(host.missing_message())
    return
  end
  vim.health.ok('program: ' .. cmd[1])
  if host.recording() then
    vim.health.info('records into ' .. host.recording())
  end
  if not hello then
    vim.health.error('the host does not answer, or speaks another protocol', {
      ('Run %s, then :SelfMind restart.'):format(host.build_command()),
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
    vim.health.warn(hello.read_only)
  end
  local doctor = ('%s doctor --db %s'):format(vim.fn.shellescape(cmd[1]), vim.fn.shellescape(hello.db))
  vim.health.info('to look for damage, open rights and stray secrets, run in a shell: ' .. doctor)
end

function M.check()
  local hello = greet()
  check_neovim()
  check_host(hello)
  check_settings(hello)
  if hello then
    check_claude(hello)
  end
end

return M
