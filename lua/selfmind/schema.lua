-- The settings as a table: type, range, default and meaning of each. Validation, the help's entries and :checkhealth
-- come from it. Pure.

local M = {}

---@class selfmind.Setting
---@field key string
---@field type string|string[]
---@field default? any what the plugin uses; nil where the host decides
---@field host? boolean passed to the host in the handshake
---@field host_default? string|number what the host uses
---@field env? string variable that the host reads where the setting is not given
---@field values? string[]
---@field min? number
---@field max? number
---@field above? number like min, but not itself
---@field whole? boolean
---@field may_be_empty? boolean of a list
---@field useless? fun(config: selfmind.Config): string? why it has no effect beside the others
---@field note? string what the help says instead of a default
---@field description string as the help has it

local PRESET = "default: the preset's"
local LEARNING_OFF = 'learning is "off"'

---@param config selfmind.Config
---@return string?
local function needs_learning(config)
  return config.learning == 'off' and LEARNING_OFF or nil
end

---@param ... string
---@return fun(config: selfmind.Config): string?
local function needs_position(...)
  local positions = { ... }
  return function(config)
    local position = config.window.position
    return not vim.tbl_contains(positions, position) and ('window.position is "%s"'):format(position) or nil
  end
end

---@type selfmind.Setting[]
M.settings = {
  {
    key = 'chat_model',
    type = 'string',
    host = true,
    host_default = 'claude-opus-4-8',
    env = 'SELFMIND_CHAT_MODEL',
    description = 'Model that answers.',
  },
  {
    key = 'memory_model',
    type = 'string',
    host = true,
    host_default = 'claude-opus-4-8',
    env = 'SELFMIND_MEMORY_MODEL',
    useless = needs_learning,
    description = 'Model that decides what is worth keeping; may be a cheaper one.',
  },
  {
    key = 'base_url',
    type = 'string',
    host = true,
    host_default = 'https://api.anthropic.com',
    env = 'ANTHROPIC_BASE_URL',
    description = 'Server of the Messages API; one of your own (llama.cpp, Ollama) needs no key.',
  },
  {
    key = 'api_key',
    type = 'function',
    note = 'no default',
    description = 'Returns the API key, and wins over ANTHROPIC_API_KEY. Called when the first message is sent, and '
      .. 'the editor waits for it. An error it throws is shown, its first line without what looks like a key:',
  },
  {
    key = 'db',
    type = 'string',
    host = true,
    host_default = '$XDG_DATA_HOME/selfmind/memory.db',
    env = 'SELFMIND_DB',
    description = 'File of the store. Where XDG_DATA_HOME is not set, it is ~/.local/share. Beside it lies ".queue", '
      .. 'in which several Neovims on one store take their turns to write.',
  },
  {
    key = 'learning',
    type = 'string',
    host = true,
    host_default = 'auto',
    values = { 'auto', 'review', 'off' },
    description = '"auto": something may be learned from each turn. "review": what would be learned waits until you '
      .. 'accept it, see |selfmind-review|. "off": nothing is learned.',
  },
  {
    key = 'learning_budget',
    type = 'number',
    host = true,
    host_default = 500000,
    min = 0,
    max = 1000000000,
    whole = true,
    useless = needs_learning,
    description = 'Tokens a day that the memory model may cost, read and written. Once they are spent, what was said '
      .. 'waits for the next day, and one line says so. 0: the memory model is never asked.',
  },
  {
    key = 'top_k',
    type = 'number',
    host = true,
    host_default = 6,
    min = 1,
    max = 100,
    whole = true,
    description = 'How many memories a message may be given.',
  },
  {
    key = 'history_turns',
    type = 'number',
    host = true,
    host_default = 12,
    min = 1,
    max = 1000,
    whole = true,
    description = 'Turns that stay in the request when a long history is cut.',
  },
  {
    key = 'max_tokens',
    type = 'number',
    host = true,
    host_default = 16000,
    min = 1,
    max = 1000000,
    whole = true,
    description = 'Longest reply, in tokens.',
  },
  {
    key = 'memory_max_tokens',
    type = 'number',
    host = true,
    host_default = 1024,
    min = 64,
    max = 1000000,
    whole = true,
    useless = needs_learning,
    description = 'Longest answer of the memory model, in tokens.',
  },
  {
    key = 'dedupe_threshold',
    type = 'number',
    host = true,
    host_default = 0.6,
    min = 0.01,
    max = 1,
    description = 'Overlap of words from which two memories may be one.',
  },
  {
    key = 'recall_deadline',
    type = 'number',
    host = true,
    host_default = 50,
    min = 1,
    max = 10000,
    whole = true,
    description = 'Milliseconds after which a message goes out without memories.',
  },
  {
    key = 'retrieval.preset',
    type = 'string',
    host = true,
    host_default = 'default',
    values = { 'default', 'selfmind', 'scenes', 'anamnesis' },
    description = 'How what was said and kept is searched: |selfmind-presets|. The settings below override what '
      .. 'the preset has.',
  },
  {
    key = 'retrieval.text_weight',
    type = 'number',
    host = true,
    min = 0,
    max = 1,
    note = PRESET,
    description = 'Of "anamnesis": what the words count.',
  },
  {
    key = 'retrieval.vector_weight',
    type = 'number',
    host = true,
    min = 0,
    max = 1,
    note = PRESET,
    description = 'What the meaning counts. No preset uses it yet.',
  },
  {
    key = 'retrieval.min_score',
    type = 'number',
    host = true,
    min = 0,
    max = 1,
    note = PRESET,
    description = 'What is below is not found; with 0 there is no minimum. Of "default" it is the confidence that '
      .. 'anything of the question is known, then the same for messages and for memories, which otherwise need less. '
      .. 'Of "anamnesis" it is the score.',
  },
  {
    key = 'retrieval.mmr.enabled',
    type = 'boolean',
    host = true,
    note = PRESET,
    description = 'Of "anamnesis": whether variety counts beside the score (maximal marginal relevance).',
  },
  {
    key = 'retrieval.mmr.lambda',
    type = 'number',
    host = true,
    min = 0,
    max = 1,
    note = PRESET,
    description = 'Of "anamnesis": what the score counts against variety; 1 is the score alone.',
  },
  {
    key = 'retrieval.temporal_decay.enabled',
    type = 'boolean',
    host = true,
    note = PRESET,
    description = 'Of "anamnesis": whether the score falls with age.',
  },
  {
    key = 'retrieval.temporal_decay.half_life_days',
    type = 'number',
    host = true,
    min = 0.01,
    max = 100000,
    note = PRESET,
    description = 'Of "anamnesis": the age at which half of the score is left.',
  },
  {
    key = 'retrieval.candidate_multiplier',
    type = 'number',
    host = true,
    min = 1,
    max = 100,
    note = PRESET,
    description = 'Of "anamnesis": from how many candidates the list is chosen, times its length.',
  },
  {
    key = 'secrets.patterns',
    type = 'table',
    host = true,
    may_be_empty = true,
    note = 'no default',
    description = 'What is kept out of the store beside what looks like a secret, see |selfmind-secrets|: words as '
      .. 'they are, with "*" for any part of a word, as in { "Operation Zebra", "ACME-*" }. Each needs 4 characters '
      .. 'beside "*". With a wrong one the host does not start.',
  },
  {
    key = 'host.cmd',
    type = { 'string', 'table' },
    note = 'no default',
    description = 'The host program, or a list of it and its arguments. Where it is not set: build/bin/selfmind-host '
      .. 'in the plugin\'s folder, else the one in $PATH.',
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
    above = 0,
    useless = needs_position('right', 'left'),
    description = 'Width at the right or left: below 1 a share of the screen '
      .. '(on a narrow one up to half of it), else columns.',
  },
  {
    key = 'window.height',
    type = 'number',
    default = 0.4,
    above = 0,
    useless = needs_position('bottom', 'top'),
    description = 'Height at the bottom or top: below 1 a share of the screen, else lines.',
  },
  {
    key = 'window.winbar',
    type = 'boolean',
    default = true,
    description = 'Whether a window with a chat has a winbar: |selfmind-winbar|. One of your own there is left alone.',
  },
}

---Keys that hold a table of settings.
M.groups = {
  host = true,
  window = true,
  retrieval = true,
  secrets = true,
  ['retrieval.mmr'] = true,
  ['retrieval.temporal_decay'] = true,
}

---@type table<string, selfmind.Setting>
M.by_key = {}
for _, setting in ipairs(M.settings) do
  M.by_key[setting.key] = setting
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

---How a name may be written by mistake: without the tables around it, or without the middle one.
---@param key string
---@return string[]
local function spellings(key)
  local path = vim.split(key, '.', { plain = true })
  local found = { key }
  for i = 2, #path do
    found[#found + 1] = table.concat(path, '.', i)
  end
  if #path == 3 then
    found[#found + 1] = path[1] .. '.' .. path[3]
  end
  return found
end

---The known name that was probably meant; "width" alone means "window.width".
---@param key string
---@return string?
function M.nearest(key)
  if #key < 2 then
    return nil
  end
  local known = vim.tbl_map(function(setting)
    return setting.key
  end, M.settings)
  vim.list_extend(known, vim.tbl_keys(M.groups))
  table.sort(known)
  local names = {} ---@type { [1]: string, [2]: string }[] how it may be written, what it is
  for _, name in ipairs(known) do
    for _, spelling in ipairs(spellings(name)) do
      names[#names + 1] = { spelling, name }
    end
  end
  local best, best_distance
  for _, name in ipairs(names) do
    local d = distance(key:lower(), name[1])
    if not best or d < best_distance then
      best, best_distance = name[2], d
    end
  end
  local allowed = #key <= 3 and 1 or math.max(2, math.floor(#key / 3))
  return best_distance <= allowed and best or nil
end

---@param values string[]
---@return string "a", "b" or "c"
local function alternatives(values)
  local quoted = vim.tbl_map(function(value)
    return ('"%s"'):format(value)
  end, values)
  local last = table.remove(quoted)
  return #quoted > 0 and ('%s or %s'):format(table.concat(quoted, ', '), last) or last
end

---@param text string
---@return string? problem
local function wrong_text(text)
  if vim.trim(text) == '' then
    return 'must not be empty'
  end
  return text:find('%z') and 'must not have a NUL byte in it' or nil
end

---@param setting selfmind.Setting
---@param value number
---@return string? problem
local function wrong_number(setting, value)
  local finite = value == value and math.abs(value) ~= math.huge
  if not finite or (setting.whole and value % 1 ~= 0) then
    return ('must be a %s, not %s'):format(setting.whole and 'whole number' or 'number', value)
  end
  if setting.above and value <= setting.above then
    return ('must be above %s, not %s'):format(setting.above, value)
  end
  if (setting.min and value < setting.min) or (setting.max and value > setting.max) then
    return ('must be between %s and %s, not %s'):format(setting.min, setting.max, value)
  end
end

---@param setting selfmind.Setting
---@param value any
---@return string? problem a sentence that begins with the key
function M.wrong(setting, value)
  local types = type(setting.type) == 'table' and setting.type or { setting.type }
  local is = vim.is_callable(value) and 'function' or type(value)
  local problem
  if not vim.tbl_contains(types, is) then
    problem = ('must be a %s, not a %s'):format(table.concat(types, ' or '), is)
  elseif is == 'table' then
    local strings = vim.islist(value) and (#value > 0 or setting.may_be_empty)
    for _, item in ipairs(value) do
      strings = strings and type(item) == 'string' and not wrong_text(item)
    end
    problem = not strings and 'must be a list of strings' or nil
  elseif setting.values and not vim.tbl_contains(setting.values, value) then
    problem = ('must be %s, not "%s"'):format(alternatives(setting.values), value)
  elseif is == 'string' then
    problem = wrong_text(value)
  elseif is == 'number' then
    problem = wrong_number(setting, value)
  end
  return problem and ('%s %s'):format(setting.key, problem)
end

---@param value any
---@return string as it is written in Lua
function M.show(value)
  if type(value) == 'string' then
    return ('"%s"'):format(value)
  end
  return vim.inspect(value, { newline = ' ', indent = '' })
end

---@param setting selfmind.Setting
---@return string "Whole number from 1 to 100"
local function kind(setting)
  if setting.values then
    return alternatives(setting.values)
  elseif type(setting.type) == 'table' then
    return 'String, or list of strings'
  elseif setting.type == 'table' then
    return 'List of strings'
  elseif setting.type == 'boolean' then
    return '`true` or `false`'
  elseif setting.type ~= 'number' then
    return setting.type:sub(1, 1):upper() .. setting.type:sub(2)
  end
  local name = setting.whole and 'Whole number' or 'Number'
  if setting.above then
    return ('%s above %s'):format(name, setting.above)
  end
  return ('%s from %s to %s'):format(name, setting.min, setting.max)
end

---@param setting selfmind.Setting
---@return string the setting's entry in the help, as one line
function M.help(setting)
  local default = setting.default ~= nil and setting.default or setting.host_default
  local env = setting.env and ('$%s, else '):format(setting.env) or ''
  local text = setting.note or ('default %s%s'):format(env, M.show(default))
  return ('%s, %s. %s'):format(kind(setting), text, setting.description)
end

return M
