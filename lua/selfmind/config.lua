-- The settings of this editor: what `setup{}` and `vim.g.selfmind` give, checked against the schema, and where each
-- comes from. A bad setting is a problem to report, never an error: the key is left out and everything else works.

local M = {}

local schema = require('selfmind.schema')

---@class selfmind.WindowOptions
---@field position? "right"|"left"|"bottom"|"top"
---@field width? number
---@field height? number
---@field winbar? boolean

---@class selfmind.RetrievalOptions what is left out is the preset's
---@field preset? "default"|"selfmind"|"scenes"|"anamnesis"
---@field text_weight? number
---@field vector_weight? number
---@field min_score? number
---@field mmr? { enabled?: boolean, lambda?: number }
---@field temporal_decay? { enabled?: boolean, half_life_days?: number }
---@field candidate_multiplier? number

---@class selfmind.SecretsOptions
---@field patterns? string[]

---@class selfmind.HostOptions
---@field cmd? string|string[]

---@class selfmind.Options what `setup{}` and `vim.g.selfmind` take; everything may be left out
---@field chat_model? string
---@field memory_model? string
---@field base_url? string
---@field api_key? fun(): string?
---@field db? string
---@field learning? "auto"|"review"|"off"
---@field learning_budget? integer
---@field top_k? integer
---@field history_turns? integer
---@field max_tokens? integer
---@field memory_max_tokens? integer
---@field recall_deadline? integer
---@field dedupe_threshold? number
---@field retrieval? selfmind.RetrievalOptions
---@field secrets? selfmind.SecretsOptions
---@field host? selfmind.HostOptions
---@field window? selfmind.WindowOptions

---@class selfmind.Config: selfmind.Options what the plugin works with: defaults filled in
---@field host selfmind.HostOptions
---@field retrieval selfmind.RetrievalOptions
---@field secrets selfmind.SecretsOptions
---@field window { position: string, width: number, height: number, winbar: boolean }

---Sets what stands at "window.width" and the like.
---@param into table
---@param key string
---@param value any
local function put(into, key, value)
  local path = vim.split(key, '.', { plain = true })
  local last = table.remove(path)
  for _, group in ipairs(path) do
    into[group] = into[group] or {}
    into = into[group]
  end
  into[last] = value
end

---Takes the good settings of `given` into `into`, and says what was wrong with the others.
---@param given table
---@param into fun(key: string, value: any)
---@param problems string[]
---@param prefix string
local function collect(given, into, problems, prefix)
  for _, name in ipairs(vim.tbl_keys(given)) do
    local key, value = prefix .. tostring(name), given[name]
    local setting = schema.by_key[key]
    if schema.groups[key] then
      if type(value) == 'table' then
        collect(value, into, problems, key .. '.')
      else
        problems[#problems + 1] = ('%s must be a table, not a %s'):format(key, type(value))
      end
    elseif not setting then
      local meant = schema.nearest(key)
      local hint = meant and (', did you mean %s?'):format(meant) or ''
      problems[#problems + 1] = ('unknown setting %s%s'):format(key, hint)
    else
      local problem = schema.wrong(setting, value)
      problems[#problems + 1] = problem
      if not problem then
        into(key, value)
      end
    end
  end
end

---Pure: what the options mean.
---@param ... any option tables, the later ones win
---@return selfmind.Config
---@return string[] problems
---@return table<string, integer> from which of the tables a key comes; nothing where it is the default
function M.resolve(...)
  local flat, problems, from = {}, {}, {}
  for _, setting in ipairs(schema.settings) do
    flat[setting.key] = setting.default
  end
  for i = 1, select('#', ...) do
    local given = select(i, ...)
    if type(given) == 'table' then
      collect(given, function(key, value)
        flat[key], from[key] = value, i
      end, problems, '')
    elseif given ~= nil then
      problems[#problems + 1] = ('the settings must be a table, not a %s'):format(type(given))
    end
  end
  table.sort(problems)
  local config = { host = {}, window = {}, retrieval = {}, secrets = {} }
  for key, value in pairs(flat) do
    put(config, key, value)
  end
  return config, problems, from
end

local SOURCES = { 'vim.g.selfmind', 'setup()' } -- in the order in which they are resolved

local options ---@type any what setup{} was given
local current ---@type selfmind.Config?
local current_problems = {} ---@type string[]
local current_from = {} ---@type table<string, integer>

---@param opts any
function M.set(opts)
  options, current = opts, nil
  M.get()
end

---@return selfmind.Config
function M.get()
  if not current then
    current, current_problems, current_from = M.resolve(vim.g.selfmind, options)
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

---@param key string
---@return any value
---@return string? source nil where neither setup{} nor vim.g.selfmind names it
function M.value(key)
  return vim.tbl_get(M.get(), unpack(vim.split(key, '.', { plain = true }))), SOURCES[current_from[key]]
end

---@param key string
---@param why string
---@return string
local function no_effect(key, why)
  return ('%s has no effect: %s'):format(key, why)
end

---Pure: settings that were given and change nothing beside the others.
---@param config selfmind.Config
---@param from table<string, integer>
---@return string[]
function M.useless(config, from)
  local found = {}
  for _, setting in ipairs(schema.settings) do
    local why = from[setting.key] and setting.useless and setting.useless(config)
    if why then
      found[#found + 1] = no_effect(setting.key, why)
    end
  end
  return found
end

---@return string[]
function M.ineffective()
  return M.useless(M.get(), current_from)
end

---Pure: those of which only the host knows, which has the presets.
---@param told table<string, string> why, by name
---@return string[]
function M.useless_to_host(told)
  local found = {}
  for _, setting in ipairs(schema.settings) do
    local why = told[setting.key]
    if why then
      found[#found + 1] = no_effect(setting.key, why)
    end
  end
  return found
end

---What the handshake carries.
---@return table
function M.for_host()
  local settings = vim.empty_dict()
  for _, setting in ipairs(schema.settings) do
    local value = setting.host and M.value(setting.key)
    if setting.host and value ~= nil then
      put(settings, setting.key, value)
    end
  end
  if settings.db then
    settings.db = vim.fs.normalize(settings.db)
  end
  return settings
end

return M
