-- Runs the Lua tests in this Neovim: `nvim -l tests/lua/run.lua [spec…]`. Touches nothing of the user's.

local root = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))))

local home = vim.fn.tempname()
for _, name in ipairs({ 'CONFIG', 'DATA', 'STATE', 'CACHE' }) do
  local folder = vim.fs.joinpath(home, name:lower())
  vim.fn.mkdir(folder, 'p')
  vim.env['XDG_' .. name .. '_HOME'] = folder
end
vim.env.HOME = home
for _, name in ipairs({ 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'SELFMIND_DB', 'NVIM', 'NVIM_APPNAME' }) do
  vim.env[name] = nil
end

vim.opt.runtimepath:prepend(root)
package.path = table.concat({
  root .. '/tests/lua/?.lua',
  '/usr/share/lua/5.1/?.lua',
  '/usr/share/lua/5.1/?/init.lua',
  package.path,
}, ';')
for _, pattern in ipairs({ '/usr/lib/*/lua/5.1', '/opt/homebrew/lib/lua/5.1', '/usr/local/lib/lua/5.1' }) do
  for _, folder in ipairs(vim.fn.glob(pattern, false, true)) do
    package.cpath = folder .. '/?.so;' .. package.cpath
  end
end

local specs = vim.list_slice(_G.arg, 1)
if #specs == 0 then
  specs = vim.fn.sort(vim.fn.glob(root .. '/tests/lua/*_spec.lua', false, true))
end
_G.arg = vim.list_extend({ [0] = 'busted', '--output=plainTerminal' }, specs)

require('busted.runner')({ standalone = false })
