-- The settings: one schema from which validation and the help's table come. Holds the resolved values of this editor.
-- A bad setting is a problem to report, never an error: the key is left out and everything else works.

local M = {}

---@class selfmind.WindowOptions
---@field position? "right"|"left"|"bottom"|"top"
---@field width? number
---@field height? number

---@class selfmind.HostOptions
---@field cmd? string|string[]

---@class selfmind.Options what `setup{}` and `vim.g.selfmind` take; everything may be left out
---@field chat_model? string
---@field memory_model? string
---@field base_url? string
---@field api_key? fun(): string?
---@field db? string
---@field learning? "auto"|"off"
---@field top_k? integer
---@field history_turns? integer
---@field max_tokens? integer
---@field memory_max_tokens? integer
---@field recall_deadline? integer
---@field dedupe_threshold? number
---@field host? selfmind.HostOptions
---@field window? selfmind.WindowOptions

---@class selfmind.Config: selfmind.Options what the plugin works with: defaults filled in
---@field host selfmind.HostOptions
---@field window { position: string, width: number, height: number }

---@class selfmind.Setting
---@field key string
---@field type string|string[]
---@field default? any what the plugin uses; nil where the host decides
---@field host_default? string what the host uses, for the help
---@field host? boolean passed to the host in the handshake
---@field values? string[]
---@field min? number
---@field max? number
---@field whole? boolean
---@field description string

---@type selfmind.Setting[]
M.schema = {
  {
    key = 'chat_model',
    type = 'string',
    host = true,
    host_default = 'claude-opus-4-8',
    description = 'Model that answers.',
  },
  {
    key = 'memory_model',
    type = 'string',
    host = true,
    host_default = 'claude-opus-4-8',
    description = 'Model that decides what is worth keeping; may be a cheaper one.',
  },
  {
    key = 'base_url',
    type = 'string',
    host = true,
    host_default = 'https://api.anthropic.com',
    description = 'Server of the Messages API.',
  },
  {
    key = 'api_key',
    type = 'function',
    description = 'Returns the API key. Called when the first message is sent, and the editor waits for it.',
  },
  {
    key = 'db',
    type = 'string',
    host = true,
    host_default = '$XDG_DATA_HOME/selfmind/memory.db',
    description = 'File of the store.',
  },
  {
    key = 'learning',
    type = 'string',
    host = true,
    host_default = 'auto',
    values = { 'auto', 'off' },
    description = 'Whether something is learned from each turn.',
  },
  {
    key = 'top_k',
    type = 'number',
    host = true,
    host_default = '6',
    min = 1,
    max = 100,
    whole = true,
    description = 'How many memories a message may be given.',
  },
  {
    key = 'history_turns',
    type = 'number',
    host = true,
    host_default = '12',
    min = 1,
    max = 1000,
    whole = true,
    description = 'Turns that stay in the request when a long history is cut.',
  },
  {
    key = 'max_tokens',
    type = 'number',
    host = true,
    host_default = '16000',
    min = 1,
    max = 1000000,
    whole = true,
    description = 'Longest reply, in tokens.',
  },
  {
    key = 'memory_max_tokens',
    type = 'number',
    host = true,
    host_default = '1024',
    min = 64,
    max = 1000000,
    whole = true,
    description = 'Longest answer of the memory model, in tokens.',
  },
  {
    key = 'dedupe_threshold',
    type = 'number',
    host = true,
    host_default = '0.7',
    min = 0.01,
    max = 1,
    description = 'Overlap of words from which two memories may be one.',
  },
  {
    key = 'recall_deadline',
    type = 'number',
    host = true,
    host_default = '50',
    min = 1,
    max = 10000,
    whole = true,
    description = 'Milliseconds after which a message goes out without memories.',
  },
  {
    key = 'host.cmd',
    type = { 'string', 'table' },
    description = 'The host program, or a list of it and its arguments. Default: build/bin/selfmind-host in the '
      .. 'plugin\'s folder, else the one in $PATH.',
  },
  {
    key = 'window.position',
    type = 'string',
    default = 'right',
    values = { 'right', 'left', 'bottom', 'top' },
    description = 'Side of the screen the chat opens on.',
  },
  {
    key = 'window.width',
    type = 'number',
    default = 0.4,
    min = 0,
    description = 'Width at the right or left: below 1 a share of the screen '
      .. '(on a narrow one up to half of it), else columns.',
  },
  {
    key = 'window.height',
    type = 'number',
    default = 0.4,
    min = 0,
    description = 'Height at the bottom or top: below 1 a share of the screen, else lines.',
  },
}

local GROUPS = { host = true, window = true }

local by_key = {} ---@type table<string, selfmind.Setting>
for _, setting in ipairs(M.schema) do
  by_key[setting.key] = setting
end

---How many letters must change to make `a` into `b`.
---@param a string
---@param b string
---@return integer
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local above = row[j]
      local change = a:byte(i) == b:byte(j) and 0 or 1
      row[j] = math.min(above + 1, row[j - 1] + 1, diagonal + change)
      diagonal = above
    end
  end
  return row[#b]
end

---@param key string
---@return string? the known name that was probably meant
local function nearest(key)
  if #key < 2 then
    return nil
  end
  local best, best_distance
  for _, setting in ipairs(M.schema) do
    local d = distance(key:lower(), setting.key)
    if not best or d < best_distance then
      best, best_distance = setting.key, d
    end
  end
  return best_distance <= math.max(2, math.floor(#key / 3)) and best or nil
end

---@param setting selfmind.Setting
---@param value any
---@return string? problem
local function wrong(setting, value)
  local types = type(setting.type) == 'table' and setting.type or { setting.type }
  local is = vim.is_callable(value) and 'function' or type(value)
  if not vim.tbl_contains(types, is) then
    return ('%s must be a %s, not a %s'):format(setting.key, table.concat(types, ' or '), is)
  end
  if is == 'table' and (not vim.islist(value) or #value == 0 or type(value[1]) ~= 'string') then
    return ('%s must be a list of strings'):format(setting.key)
  end
  if setting.values and not vim.tbl_contains(setting.values, value) then
    local quoted = vim.tbl_map(function(v)
      return ('"%s"'):format(v)
    end, setting.values)
    return ('%s must be %s, not "%s"'):format(setting.key, table.concat(quoted, ' or '), value)
  end
  if setting.whole and value % 1 ~= 0 then
    return ('%s must be a whole number, not %s'):format(setting.key, value)
  end
  if (setting.min and value < setting.min) or (setting.max and value > setting.max) then
    local range = setting.max and ('between %s and %s'):format(setting.min, setting.max)
      or ('at least %s'):format(setting.min)
    return ('%s must be %s, not %s'):format(setting.key, range, value)
  end
end

---Takes the good settings of `given` into `into`, and says what was wrong with the others.
---@param given table
---@param into table<string, any> by full key
---@param problems string[]
---@param prefix string
local function collect(given, into, problems, prefix)
  for _, name in ipairs(vim.tbl_keys(given)) do
    local key, value = prefix .. tostring(name), given[name]
    local setting = by_key[key]
    if prefix == '' and GROUPS[key] then
      if type(value) == 'table' then
        collect(value, into, problems, key .. '.')
      else
        problems[#problems + 1] = ('%s must be a table, not a %s'):format(key, type(value))
      end
    elseif not setting then
      local meant = nearest(key)
      local hint = meant and (', did you mean %s?'):format(meant) or ''
      problems[#problems + 1] = ('unknown setting %s%s'):format(key, hint)
    else
      local problem = wrong(setting, value)
      problems[#problems + 1] = problem
      if not problem then
        into[key] = value
      end
    end
  end
end

---Pure: what the options mean.
---@param ... any option tables, the later ones win
---@return selfmind.Config
---@return string[] problems
function M.resolve(...)
  local flat, problems = {}, {}
  for _, setting in ipairs(M.schema) do
    flat[setting.key] = setting.default
  end
  for i = 1, select('#', ...) do
    local given = select(i, ...)
    if type(given) == 'table' then
      collect(given, flat, problems, '')
    elseif given ~= nil then
      problems[#problems + 1] = ('the settings must be a table, not a %s'):format(type(given))
    end
  end
  table.sort(problems)
  local config = { host = {}, window = {} }
  for key, value in pairs(flat) do
    local group, name = key:match('^(%w+)%.(.+)$')
    if group then
      config[group][name] = value
    else
      config[key] = value
    end
  end
  return config, problems
end

local options ---@type any what setup{} was given
local current ---@type selfmind.Config?
local current_problems = {} ---@type string[]

---@param opts any
function M.set(opts)
  options, current = opts, nil
  M.get()
end

---@return selfmind.Config
function M.get()
  if not current then
    current, current_problems = M.resolve(vim.g.selfmind, options)
    for _, problem in ipairs(current_problems) do
      require('selfmind.log').warn_once(problem .. ' (setting ignored)')
    end
  end
  return current
end

---@return string[]
function M.problems()
  M.get()
  return current_problems
end

---What the handshake carries.
---@return table
function M.for_host()
  local config, settings = M.get(), vim.empty_dict()
  for _, setting in ipairs(M.schema) do
    if setting.host then
      settings[setting.key] = config[setting.key]
    end
  end
  if settings.db then
    settings.db = vim.fs.normalize(settings.db)
  end
  return settings
end

return M
