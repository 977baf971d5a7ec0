-- The picker, through vim.ui.select: whatever the user has put behind that shows the list.

local M = {}

local log = require('selfmind.log')
local verbs = require('selfmind.memories.verbs')

local ACTIONS = {
  {
    name = 'show everything known about it',
    run = verbs.show,
  },
  {
    name = 'copy its text',
    run = function(memory)
      vim.fn.setreg('"', memory.text)
    end,
  },
  {
    name = 'forget it for good',
    run = function(memory)
      verbs.forget({ memory.id })
    end,
  },
}

---@param memories selfmind.Memory[]
---@param prompt string
---@param chosen fun(memory: selfmind.Memory)
local function select(memories, prompt, chosen)
  vim.ui.select(memories, {
    prompt = prompt,
    kind = 'selfmind.memory',
    format_item = function(memory)
      return ('%d  %s'):format(memory.id, (memory.text:gsub('%s+', ' ')))
    end,
  }, function(memory)
    if memory then
      -- Pickers call back while their window closes.
      vim.schedule(function()
        chosen(memory)
      end)
    end
  end)
end

---@param memories selfmind.Memory[]
---@param words string
---@return selfmind.Memory[] those that hold every word
local function matching(memories, words)
  return vim.tbl_filter(function(memory)
    local text = vim.fn.tolower(memory.text)
    for word in vim.fn.tolower(words):gmatch('%S+') do
      if not text:find(word, 1, true) then
        return false
      end
    end
    return true
  end, memories)
end

---Picks a memory and asks what to do with it, or does `action`, or hands it to `chosen`.
---@param folder string
---@param opts? { words?: string, action?: "forget", prompt?: string, chosen?: fun(memory: selfmind.Memory) }
function M.open(folder, opts)
  opts = opts or {}
  verbs.list(folder, function(memories)
    local found = matching(memories, opts.words or '')
    if #found == 0 then
      return log.info(#memories == 0 and 'nothing is remembered here yet' or 'no memory has these words')
    end
    -- Outside the host's call: the built-in picker waits for a key.
    vim.schedule(function()
      if opts.action == 'forget' then
        return select(found, 'Forget which memory?', function(memory)
          verbs.forget({ memory.id })
        end)
      end
      if opts.chosen then
        return select(found, opts.prompt or 'Memories', opts.chosen)
      end
      select(found, 'Memories', function(memory)
        vim.ui.select(ACTIONS, {
          prompt = ('What about %d?'):format(memory.id),
          format_item = function(action)
            return action.name
          end,
        }, function(action)
          if action then
            action.run(memory)
          end
        end)
      end)
    end)
  end)
end

return M
