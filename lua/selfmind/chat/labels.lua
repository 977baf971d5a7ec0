-- The words around a conversation: who speaks, and the quiet lines. Pure.

local M = {}

---@type table<string, string> group → what it links to
M.highlights = {
  SelfMindUser = 'Title',
  SelfMindClaude = 'Function',
  SelfMindMemory = 'Special',
  SelfMindPrompt = 'Comment',
  SelfMindPrivate = 'DiagnosticInfo',
  SelfMindNote = 'Comment',
  SelfMindError = 'DiagnosticWarn',
}

---@param text string
---@return string
local function flat(text)
  return vim.trim((text:gsub('%s+', ' ')))
end

---@param text string
---@param group? string
---@return selfmind.Chunks
function M.note(text, group)
  return { { '  ' .. flat(text), group or 'SelfMindNote' } }
end

---@param title string
---@param project string
---@param private? boolean
---@return selfmind.Chunks
function M.title(title, project, private)
  local text = title ~= '' and ('%s · %s'):format(project, flat(title)) or project
  if private then
    return { { 'private, nothing of this is kept', 'SelfMindPrivate' }, { ' · ' .. text, 'SelfMindNote' } }
  end
  return { { text, 'SelfMindNote' } }
end

---@param private? boolean
---@return selfmind.Chunks
function M.prompt(private)
  local keys = '<CR> sends · g? shows the keys'
  if private then
    return { { '── ', 'SelfMindPrompt' }, { 'private', 'SelfMindPrivate' }, { ' · ' .. keys, 'SelfMindPrompt' } }
  end
  return { { '── ' .. keys, 'SelfMindPrompt' } }
end

---Where a private chat can go on no more.
M.gone = 'this private chat is gone with its host: :SelfMind private opens another'

---Stands for a while where the prompt's line is.
---@param line string
---@return selfmind.Chunks
function M.answer(line)
  return { { '── ' .. flat(line), 'SelfMindPrompt' } }
end

---@return selfmind.Chunks
function M.user()
  return { { 'you', 'SelfMindUser' } }
end

---@param state string of the reply
---@param model? string
---@return selfmind.Chunks
function M.reply(state, model)
  if state == 'offline' then
    return { { 'from memory (offline)', 'SelfMindMemory' } }
  end
  local chunks = { { 'claude', 'SelfMindClaude' } }
  if model and model ~= '' then
    chunks[2] = { ' · ' .. model, 'SelfMindNote' }
  end
  return chunks
end

---What stands where the reply will be, before it has any text.
---@param what string
---@param model? string
---@return selfmind.Chunks
local function pending(what, model)
  local chunks = M.reply('streaming', model)
  chunks[#chunks + 1] = { ' · ' .. what, 'SelfMindNote' }
  return chunks
end

---@param model? string
---@return selfmind.Chunks
function M.waiting(model)
  return pending('waiting…', model)
end

---@param model? string
---@return selfmind.Chunks
function M.thinking(model)
  return pending('thinking…', model)
end

---@param sentence string
---@return string its first half: what happened, without what to do
local function cause(sentence)
  return sentence:match('^(.*);') or (sentence:gsub('%.$', '')) -- the server's words, quoted in it, may have one too
end

---While a request waits to be tried again.
---@param why string a sentence
---@param seconds integer
---@return selfmind.Chunks
function M.pausing(why, seconds)
  return M.note(('%s · again in %d s · gR now · <C-c> stops'):format(cause(why), seconds), 'SelfMindError')
end

---@param count integer
---@param late? boolean
---@return selfmind.Chunks?
function M.recalled(count, late)
  if late then
    return M.note('recall took too long, so nothing was recalled')
  end
  if count > 0 then
    return M.note(('%d %s recalled · gm shows them'):format(count, count == 1 and 'memory' or 'memories'))
  end
end

---@param state string
---@param notice? string
---@param has_reply? boolean there is some of a reply
---@return selfmind.Chunks? under the reply, or under the message when there is no reply
function M.done(state, notice, has_reply)
  local text = notice and notice ~= '' and notice or nil
  local again = text and text:find('again', 1, true) and ' (gR)' or ' · gR sends it again'
  local function unfinished(default)
    return ((text or default):gsub('%.$', ''))
  end
  if state == 'failed' then
    return M.note(unfinished('no reply') .. again, 'SelfMindError')
  elseif state == 'refused' then
    return M.note(text and ('%s: %s'):format(state, text) or state, 'SelfMindError')
  elseif state == 'interrupted' then
    local why = cause(text or 'the reply broke off')
    return M.note(('interrupted: %s · gC continues · gR sends again'):format(why), 'SelfMindError')
  elseif state == 'offline' then
    return M.note(unfinished('not sent to Claude') .. again)
  elseif state == 'stopped' then
    return M.note(unfinished('stopped') .. (has_reply and ' · gC continues' or '') .. ' · gR sends again')
  end
  if not text then
    return nil
  end
  return M.note(text:find('ask it to go on', 1, true) and unfinished(text) .. ' (gC)' or text)
end

---@return selfmind.Chunks under a reply that another one under the same message has replaced
function M.asked_again()
  return M.note('sent again: the reply below is the one that counts')
end

---@return selfmind.Chunks under a reply that another Neovim is writing
function M.elsewhere()
  return M.note('still being written, in another Neovim · :e looks again')
end

---@param memory selfmind.Memory
---@return string
local function what_became(memory)
  if memory.state == 'quarantined' then
    return 'to review'
  end
  return memory.made_by == 'rules' and 'learned by rule' or 'learned'
end

---@param stored selfmind.Memory[]
---@return selfmind.Chunks[] a line for what was learned, and one for what waits
function M.learned(stored)
  local order, groups = {}, {}
  for _, memory in ipairs(stored) do
    local what = what_became(memory)
    if not groups[what] then
      groups[what] = {}
      order[#order + 1] = what
    end
    local instead = memory.replaces and (', replaces %d'):format(memory.replaces) or ''
    table.insert(groups[what], ('%s (%d%s)'):format(flat(memory.text), memory.id, instead))
  end
  return vim.tbl_map(function(what)
    local parts = groups[what]
    local count = #parts > 1 and ' ' .. #parts or ''
    return M.note(('%s%s: %s'):format(what, count, table.concat(parts, ' · ')))
  end, order)
end

return M
