-- The project's chats, in vim.ui.select: all of them, or those in which some words were said.

local M = {}

local here = require('selfmind.localtime')
local host = require('selfmind.host')
local log = require('selfmind.log')
local oneline = require('selfmind.memories.line')
local validate = require('selfmind.validate')

---@param chat selfmind.FoundChat
---@return string
local function label(chat)
  local title = chat.title ~= '' and oneline.flat(chat.title) or 'a message that is not sent yet'
  local line = ('%s  %s'):format(here(chat.updated_at), title)
  local count = chat.messages == 1 and '1 message' or chat.messages .. ' messages'
  local excerpt = oneline.flat(chat.excerpt)
  -- A title is mostly the first message: said once.
  return excerpt ~= '' and excerpt ~= title and ('%s · %s · %s'):format(line, count, excerpt)
    or ('%s · %s'):format(line, count)
end

---Lists the chats that hold every one of the words, and opens the chosen one, at the message that has them.
---@param words string blank separated; empty: all chats
---@param folder string
function M.open(words, folder)
  validate('words', words, 'string')
  validate('folder', folder, 'string')
  host.notify('chat.list', { folder = folder, words = words }, function(err, result)
    if err then
      return log.failed(err)
    end
    if #result.chats == 0 then
      return log.info(vim.trim(words) == '' and 'no chat in this project yet' or 'no chat here has these words')
    end
    -- Outside the host's call: the built-in picker waits for a key.
    vim.schedule(function()
      vim.ui.select(result.chats, {
        prompt = 'Chats',
        kind = 'selfmind.chat',
        format_item = label,
      }, function(chat)
        if chat then
          -- Pickers call back while their window closes.
          vim.schedule(function()
            require('selfmind.chat').open({ chat = chat.chat, turn = chat.turn })
          end)
        end
      end)
    end)
  end)
end

return M
