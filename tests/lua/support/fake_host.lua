-- A host for tests: `nvim -l fake_host.lua` speaks the protocol on stdio and does what the test says. It refuses
-- methods and fields that protocol.md does not have. Beside the protocol's methods it knows:
--   test.emit {name, payload}   sends an event      test.exit {code}   ends at once, with a line on stderr
--   test.garbage {}             writes nonsense     test.answer {method, error?, result?}  the next answer to a method
--   test.seen {}                answers with all calls so far

local uv = vim.uv
if os.getenv('FAKE_STARTS') then -- a line for each start: what stands behind the script
  vim.fn.writefile({ table.concat(_G.arg, ' ') }, os.getenv('FAKE_STARTS'), 'a')
end
local stdin, stdout = uv.new_pipe(false), uv.new_pipe(false)
stdin:open(0)
stdout:open(1)

local FIELDS = {
  ['hello'] = { protocol = 'number', plugin = 'string', settings = 'table' },
  ['key.set'] = { api_key = 'string' },
  ['chat.open'] = { folder = 'string', chat = 'number?', uuid = 'string?', fresh = 'boolean?', private = 'boolean?' },
  ['chat.close'] = { chat = 'number' },
  ['chat.draft'] = { chat = 'number', text = 'string' },
  ['turn.start'] = { chat = 'number', text = 'string' },
  ['turn.retry'] = { chat = 'number' },
  ['turn.stop'] = { chat = 'number' },
  ['memory.remember'] = { folder = 'string', text = 'string', global = 'boolean?', force = 'boolean?' },
  ['memory.forget'] = { ids = 'table', dry_run = 'boolean?' },
  ['chat.forget'] = { chat = 'number', memories = 'boolean?', dry_run = 'boolean?' },
  ['project.forget'] = { folder = 'string', memories = 'boolean?', dry_run = 'boolean?' },
  ['memory.list'] = { folder = 'string', all = 'boolean?', waiting = 'boolean?' },
  ['memory.accept'] = { ids = 'table' },
  ['memory.archive'] = { ids = 'table' },
  ['memory.replace'] = { ids = 'table', old = 'table?' },
  ['memory.unarchive'] = { ids = 'table' },
  ['memory.history'] = { id = 'number' },
  ['memory.undo'] = { folder = 'string' },
  ['memory.asof'] = { folder = 'string', date = 'string' },
  ['memory.rollback'] = { folder = 'string', chat = 'number?', since = 'string?', dry_run = 'boolean?' },
  ['chat.list'] = { folder = 'string', words = 'string?' },
  ['log.day'] = { folder = 'string', date = 'string' },
  ['memory.recall'] = { folder = 'string', query = 'string', k = 'number?' },
  ['stats'] = { folder = 'string', all = 'boolean?' },
  ['probe.add'] = {
    folder = 'string',
    query = 'string',
    memories = 'table?',
    turns = 'table?',
    global = 'boolean?',
  },
  ['probe.list'] = { folder = 'string' },
  ['probe.run'] = { folder = 'string' },
  ['probe.remove'] = { id = 'number' },
}

local SETTINGS = {
  chat_model = 'string',
  memory_model = 'string',
  base_url = 'string',
  db = 'string',
  learning = 'string',
  learning_budget = 'number',
  top_k = 'number',
  history_turns = 'number',
  max_tokens = 'number',
  memory_max_tokens = 'number',
  dedupe_threshold = 'number',
  recall_deadline = 'number',
  retrieval = 'table',
}

local seen, planned = {}, {}
local greeted = false
local memories = {
  { id = 7, text = 'The user prefers tabs over spaces.', kind = 'preference', scope = 'project' },
  { id = 12, text = 'The user has 3 cats.', kind = 'fact', scope = 'global' },
  { id = 120, text = 'Die Nutzerin heißt Zoë und mag Grüntee 🍵.', kind = 'fact', scope = 'project' },
}
local waiting = {
  { id = 200, text = 'The user may like plums.', kind = 'preference', scope = 'project', state = 'quarantined' },
  {
    id = 201,
    text = 'The user moves in May.',
    kind = 'plan',
    scope = 'project',
    state = 'quarantined',
    contradicts = { { id = 7, text = 'The user moves in June.' } },
  },
}
local chats = {} -- by folder

local function emit(name, payload)
  local message = { 2, 'nvim_exec_lua', { "require('selfmind.events').receive(...)", { name, payload } } }
  stdout:write(vim.mpack.encode(message))
end

local function chat_of(params)
  for folder, chat in pairs(chats) do
    if
      folder == params.folder and not params.chat and not params.uuid and not params.fresh and not params.private
      or chat.chat == params.chat
      or chat.uuid == params.uuid
    then
      return chat
    end
  end
  if params.chat or params.uuid then
    return nil, { kind = 'not_found', message = 'There is no such chat' }
  end
  local id = vim.tbl_count(chats) + 1
  local chat = {
    chat = id,
    uuid = ('00000000-0000-7000-8000-%012d'):format(id),
    title = '',
    project = { id = id, name = vim.fs.basename(params.folder) },
    draft = '',
    busy = false,
    turns = {},
    private = params.private or false,
  }
  local key = params.private and 'private#' .. id or params.folder
  while chats[key] do -- a fresh chat takes the folder, the old one stays known by its id
    chats[key .. '#' .. id], chats[key] = chats[key], nil
  end
  chats[key] = chat
  return chat
end

local function by_id(id)
  return chat_of({ chat = id })
end

local next_turn = 100
local function start(params)
  local chat = by_id(params.chat)
  if chat.busy then
    return nil, { kind = 'running', message = 'a turn is running in this chat' }
  end
  chat.busy = true
  if params.text then
    next_turn = next_turn + 1
    table.insert(chat.turns, { id = next_turn, role = 'user', state = 'unanswered', text = params.text, at = 'now' })
    chat.draft = ''
  end
  return { turn = next_turn }
end

local function find(ids)
  local found = {}
  for _, id in ipairs(ids) do
    local memory = vim.iter(memories):find(function(m)
      return m.id == id
    end)
    if not memory then
      return nil, { kind = 'not_found', message = ('there is no memory %d'):format(id) }
    end
    found[#found + 1] = memory
  end
  return found
end

---Those that wait leave the list, whatever was decided; others are left alone.
local function take(ids)
  local taken = vim.tbl_filter(function(m)
    return vim.tbl_contains(ids, m.id)
  end, waiting)
  waiting = vim.tbl_filter(function(m)
    return not vim.tbl_contains(ids, m.id)
  end, waiting)
  return #taken > 0 and taken or find(ids)
end

-- In every chat one memory was learned.
local function forget_chats(gone, name, params)
  local learned = { { id = 12, text = 'The user has 3 cats.', kind = 'fact', scope = 'project' } }
  return {
    memories = params.memories and learned or {},
    kept = params.memories and {} or learned,
    name = name,
    chats = gone,
    turns_gone = 4,
    turns_cut = 0,
    probes_gone = 0,
    probes_cut = 0,
    copies = 0,
    remains = false,
    remaining = { 'The backup /tmp/b still has the words: it is the test. Remove the file if you can do without it.' },
  }
end

local methods = {
  ['hello'] = function(params)
    for name, value in pairs(params.settings) do
      if type(value) ~= SETTINGS[name] then
        return nil, { kind = 'invalid', message = 'settings.' .. name .. ' is wrong' }
      end
    end
    local protocol = tonumber(os.getenv('FAKE_PROTOCOL') or '1')
    if os.getenv('FAKE_HELLO') == 'error' then
      return nil, { kind = 'io', message = 'the store cannot be opened: no such folder' }
    end
    greeted = true
    return {
      protocol = protocol,
      version = '0.1.0',
      schema = 1,
      sqlite = '3.40.1',
      journal = 'delete',
      db = '/tmp/fake.db',
      chat_model = params.settings.chat_model or 'claude-opus-4-8',
      memory_model = 'claude-opus-4-8',
      base_url = 'https://api.anthropic.com',
      online = false,
      offline_why = 'no API key is set',
      read_only = '',
      settings = {
        top_k = { value = params.settings.top_k or 6, from = params.settings.top_k and 'editor' or 'default' },
        base_url = { value = 'https://gateway.example.org', from = 'ANTHROPIC_BASE_URL' },
      },
      useless = { ['retrieval.vector_weight'] = (params.settings.retrieval or {}).vector_weight and 'it is the test' },
      lacking = params.settings.retrieval and 'The preset of the test lacks a test.' or '',
      key = os.getenv('FAKE_KEY') or '',
      network = { HTTPS_PROXY = 'http://proxy:3128', SSL_CERT_FILE = '/nowhere/ca.pem' },
    }
  end,
  ['key.set'] = function()
    return vim.NIL
  end,
  ['chat.open'] = chat_of,
  ['chat.close'] = function()
    return vim.NIL
  end,
  ['chat.draft'] = function(params)
    by_id(params.chat).draft = params.text
    return vim.NIL
  end,
  ['turn.start'] = start,
  ['turn.retry'] = start,
  ['turn.stop'] = function(params)
    return { stopped = by_id(params.chat).busy }
  end,
  ['memory.remember'] = function(params)
    if params.text:find('tabs') and not params.force then
      return { id = 7, state = 'duplicate', text = memories[1].text }
    end
    return { id = 13, state = 'stored', text = params.text }
  end,
  ['memory.forget'] = function(params)
    local found, err = find(params.ids)
    if not found then
      return nil, err
    end
    if not params.dry_run then
      memories = vim.tbl_filter(function(m)
        return not vim.tbl_contains(params.ids, m.id)
      end, memories)
    end
    local nothing = { turns_cut = 0, probes_gone = 0, probes_cut = 0, copies = 0, remains = false, remaining = {} }
    return vim.tbl_extend('error', nothing, { memories = found })
  end,
  ['chat.forget'] = function(params)
    return forget_chats({ params.chat }, 'a title', params)
  end,
  ['project.forget'] = function(params)
    return forget_chats({ 1, 2 }, 'the project', params)
  end,
  ['memory.list'] = function(params)
    return { memories = params.waiting and waiting or memories }
  end,
  ['memory.accept'] = function(params)
    return { memories = take(params.ids) }
  end,
  ['memory.replace'] = function(params)
    return { memories = take(params.ids) }
  end,
  ['memory.archive'] = function(params)
    return { memories = take(params.ids) }
  end,
  ['memory.unarchive'] = function(params)
    local found, err = find(params.ids)
    return found and { memories = found }, err
  end,
  ['memory.history'] = function(params)
    local found, err = find({ params.id })
    if not found then
      return nil, err
    end
    local change = { verb = 'add', made_by = 'learn', at = '2026-11-30T14:05:09.120Z', turn = 3, chat = 1 }
    return {
      memory = found[1],
      revisions = { { revision = 1, text = found[1].text, kind = 'fact', state = 'active', change = change } },
      sources = { { turn = 3, quote = 'I prefer tabs', chat = 1, at = '2026-11-30T14:05:09.120Z' } },
    }
  end,
  ['memory.undo'] = function()
    return { change = { verb = 'add', made_by = 'learn', at = '2026-11-30T14:05:09.120Z' }, memories = { memories[1] } }
  end,
  ['memory.asof'] = function(params)
    return { memories = params.date:find('^2026') and memories or {} }
  end,
  ['memory.rollback'] = function(params)
    return { memories = params.since == '2999-01-01' and {} or { memories[1] }, kept = { memories[2] }, turns = 2 }
  end,
  ['log.day'] = function(params)
    if params.date ~= '2026-11-30' then
      return { turns = {} }
    end
    local at = '2026-11-30T14:05:09.120Z'
    return {
      turns = {
        { id = 3, chat = 1, role = 'user', state = 'answered', text = 'I prefer tabs', created_at = at },
        { id = 4, chat = 1, role = 'assistant', state = 'done', text = 'Noted.\nTabs.', created_at = at },
      },
    }
  end,
  ['memory.recall'] = function()
    return { hits = { { source = 'memory', id = 7, text = memories[1].text, score = 2.5, kind = 'preference' } } }
  end,
  ['probe.add'] = function(params)
    local found, err = find(params.memories or {})
    if not found then
      return nil, err
    end
    local expect = {}
    for _, memory in ipairs(found) do
      expect[#expect + 1] = { source = 'memory', id = memory.id, text = memory.text, state = 'active' }
    end
    for _, id in ipairs(params.turns or {}) do
      expect[#expect + 1] = { source = 'turn', id = id, text = 'what was said' }
    end
    return { id = 3, query = params.query, scope = 'project', expect = expect }
  end,
  ['probe.list'] = function()
    return { probes = {} }
  end,
  ['probe.run'] = function()
    return { probes = {}, n = 0, recall = vim.empty_dict(), any = vim.empty_dict() }
  end,
  ['probe.remove'] = function()
    return vim.NIL
  end,
  ['stats'] = function()
    return { memories = { active = 3 }, turns = 5, queue = 0, bytes = 4096, schema = 1 }
  end,
}

local test_methods = {
  ['test.emit'] = function(params)
    if params.name == 'turn/done' then
      local chat = by_id(params.payload.chat)
      chat.busy = false
    end
    emit(params.name, params.payload)
  end,
  ['test.exit'] = function(params)
    io.stderr:write('the disk is on fire\n')
    os.exit(params.code)
  end,
  ['test.garbage'] = function()
    stdout:write('\193\193\193 this is no msgpack')
  end,
  ['test.answer'] = function(params)
    planned[params.method] = params
  end,
  ['test.log'] = function(params) -- what the log holds of a chat
    local chat = by_id(params.chat)
    chat.turns, chat.busy = params.turns, params.busy or false
  end,
}

local function wrong(method, params)
  if not FIELDS[method] then
    return 'unknown method ' .. method
  end
  for name, kind in pairs(FIELDS[method]) do
    local optional = kind:sub(-1) == '?'
    if not (optional and params[name] == nil) and type(params[name]) ~= kind:gsub('%?', '') then
      return ('%s.%s is wrong'):format(method, name)
    end
  end
  for name in pairs(params) do
    if not FIELDS[method][name] then
      return ('%s has no field %s'):format(method, name)
    end
  end
  return method ~= 'hello' and not greeted and 'hello comes first' or nil
end

local function handle(method, id, params)
  if test_methods[method] then
    return test_methods[method](params)
  end
  if method == 'test.seen' then
    return emit('reply', { id = id, result = { calls = seen } })
  end
  seen[#seen + 1] = { method = method, params = params }
  if os.getenv('FAKE_LOG') then
    vim.fn.writefile({ vim.json.encode({ method, params }) }, os.getenv('FAKE_LOG'), 'a')
  end
  local problem = wrong(method, params)
  if not problem and method ~= 'chat.open' and params.chat and not by_id(params.chat) then
    problem = 'there is no such chat'
  end
  local result, err
  if problem then
    err = { kind = 'invalid', message = problem }
  elseif planned[method] then
    result, err = planned[method].result, planned[method].error
    planned[method] = nil
  else
    result, err = methods[method](params)
  end
  if id ~= 0 then
    emit('reply', err and { id = id, error = err } or { id = id, result = result or vim.NIL })
  end
end

local unpacker, buffered = vim.mpack.Unpacker(), ''
local ended = false
stdin:read_start(function(_, chunk)
  if not chunk then
    vim.schedule(function() -- behind what was read before
      ended = true
    end)
    return
  end
  buffered = buffered .. chunk
  local position = 1
  while position <= #buffered do
    local message, after = unpacker(buffered, position)
    position = after
    if message == nil then
      break
    end
    if message[1] == 2 and message[2] ~= 'nvim_error_event' then
      vim.schedule(function()
        handle(message[2], message[3][1], message[3][2])
      end)
    end
  end
  buffered = buffered:sub(position)
end)

if os.getenv('FAKE_HELLO') == 'die' then
  io.stderr:write('symbol lookup error\n')
  os.exit(127)
end
vim.wait(600000, function()
  return ended
end, 20)
os.exit(0)
