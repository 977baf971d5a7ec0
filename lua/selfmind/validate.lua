-- Checks arguments at the door of public functions, in the form of vim.validate that this Neovim likes.

---@param name string
---@param value any
---@param kind string a Lua type name, or "callable"
---@param optional? boolean
return function(name, value, kind, optional)
  if vim.fn.has('nvim-0.11') == 1 then
    vim.validate(name, value, kind, optional)
  else
    vim.validate({ [name] = { value, kind, optional } })
  end
end
