-- What others call by name: settings, and the actions as functions. Everything works without `setup`.

local M = {}

---Takes settings; all of them are optional, and so is the call. They win over `vim.g.selfmind`.
---@param opts? selfmind.Options
function M.setup(opts)
  require('selfmind.config').set(opts)
end

---Opens the last chat of the current folder's project, a new one, or a private one.
---@param opts? { fresh?: boolean, private?: boolean }
function M.open(opts)
  require('selfmind.validate')('opts', opts, 'table', true)
  require('selfmind.chat').open(opts)
end

---Opens the chat in this tab page, or closes it.
function M.toggle()
  require('selfmind.chat').toggle()
end

---What the chat is doing and has used, for a status line: escaped, so that it can be a part of 'statusline' as it is.
---Empty where no chat is in sight.
---@param bufnr? integer of a chat; else that of the window being drawn, or the one in this tab page
---@return string
function M.statusline(bufnr)
  require('selfmind.validate')('bufnr', bufnr, 'number', true)
  local status = package.loaded['selfmind.chat.status'] -- before a chat was opened there is nothing to load it for
  return status and status.statusline(bufnr) or ''
end

---@param text string
---@param opts? { global?: boolean, force?: boolean }
function M.remember(text, opts)
  local validate = require('selfmind.validate')
  validate('text', text, 'string')
  validate('opts', opts, 'table', true)
  require('selfmind.memories.verbs').remember(text, {
    folder = vim.fn.getcwd(),
    global = opts and opts.global,
    force = opts and opts.force,
  })
end

return M
