-- Deleting a chat, or all of a project, for good: shows what was learned there, asks whether that goes as well, and
-- takes the conversations of it out of the editor.

local M = {}

local host = require('selfmind.host')
local log = require('selfmind.log')
local validate = require('selfmind.validate')
local oneline = require('selfmind.memories.line')

local flat, fitting = oneline.flat, oneline.fitting

local SHOWN = 10 -- memories in the question

---@param memories selfmind.Memory[]
---@param lines string[]
local function list(memories, lines)
  for i = 1, math.min(#memories, SHOWN) do
    lines[#lines + 1] = fitting(('%5d  %s'):format(memories[i].id, flat(memories[i].text)))
  end
  if #memories > SHOWN then
    lines[#lines + 1] = ('       and %d more'):format(#memories - SHOWN)
  end
end

---@param what string
---@param found selfmind.Forgotten
---@return string? answer nil: it stays; else "keep" or "forget", what becomes of the memories
local function question(what, found)
  local lines = { ('Delete %s for good, with %d messages and replies?'):format(what, found.turns_gone) }
  if #found.kept == 0 then
    return vim.fn.confirm(lines[1], '&Delete\n&Cancel', 2) == 1 and 'forget' or nil
  end
  lines[#lines + 1] = #found.kept == 1 and 'This was learned there, or belongs to it:'
    or 'These were learned there, or belong to it:'
  list(found.kept, lines)
  local choice = vim.fn.confirm(table.concat(lines, '\n'), '&Keep them\n&Forget them, too\n&Cancel', 3)
  return ({ 'keep', 'forget' })[choice]
end

---@param result selfmind.Forgotten
local function gone(result)
  require('selfmind.chat').gone(result.chats)
  local texts, ids = {}, {}
  for i, memory in ipairs(result.memories) do
    texts[i], ids[i] = memory.text, memory.id
  end
  require('selfmind.shada').cut(texts, ids)
  local chats = #result.chats == 1 and '1 chat' or #result.chats .. ' chats'
  log.info(('deleted %s, %d messages and replies, and forgot %d memories; %d kept'):format(
    chats,
    result.turns_gone,
    #result.memories,
    #result.kept
  ))
  for _, sentence in ipairs(result.remaining) do
    log.warn(sentence)
  end
end

---@param method "chat.forget"|"project.forget"
---@param params table
---@param name fun(found: selfmind.Forgotten): string
local function delete(method, params, name)
  host.notify(method, vim.tbl_extend('error', params, { dry_run = true }), function(err, found)
    if err then
      return log.failed(err)
    end
    -- Asked outside the host's call, which would otherwise lie on the stack for as long as the user thinks.
    vim.schedule(function()
      local answer = question(name(found), found)
      if not answer then
        return
      end
      host.notify(method, vim.tbl_extend('error', params, { memories = answer == 'forget' }), function(failed, result)
        if failed then
          return log.failed(failed)
        end
        gone(result)
      end)
    end)
  end)
end

---@param id integer
function M.chat(id)
  validate('id', id, 'number')
  delete('chat.forget', { chat = id }, function(found)
    return found.name == '' and 'chat ' .. id or ('chat %d, "%s",'):format(id, flat(found.name))
  end)
end

---@param folder string
function M.project(folder)
  validate('folder', folder, 'string')
  delete('project.forget', { folder = folder }, function(found)
    return ('all %d chats of the project "%s"'):format(#found.chats, found.name)
  end)
end

---For `:SelfMind delete`.
---@param args string "chat", "chat 12", "project"
---@param folder string
function M.command(args, folder)
  local what, id = args:match('^(%l+)%s*(%d*)%s*$')
  if what == 'project' and id == '' then
    return M.project(folder)
  end
  local shown = require('selfmind.chat.conversations').in_buffer(vim.api.nvim_get_current_buf())
  if what == 'chat' and id == '' and shown and shown.private then
    return vim.api.nvim_buf_delete(shown.bufnr, { force = true }) -- there is nothing else of it
  end
  local chat = tonumber(id) or (shown and shown.id)
  if what == 'chat' and chat then
    return M.chat(chat)
  end
  log.warn('delete what: chat ID, chat alone in its window, or project')
end

return M
