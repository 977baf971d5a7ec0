-- Runs busted in this Neovim over the *_spec.lua files of a folder, touching nothing of the user's.

---@param folder string
---@param part? string only files whose name holds it
---@param filter? string only tests whose name matches it
return function(folder, part, filter)
  local home = vim.fn.tempname()
  for _, name in ipairs({ 'CONFIG', 'DATA', 'STATE', 'CACHE' }) do
    local path = vim.fs.joinpath(home, name:lower())
    vim.fn.mkdir(path, 'p')
    vim.env['XDG_' .. name .. '_HOME'] = path
  end
  vim.env.HOME = home
  for _, name in ipairs({ 'API_KEY', 'AUTH_TOKEN', 'BASE_URL' }) do
    vim.env['ANTHROPIC_' .. name] = nil
  end
  for _, name in ipairs({ 'SELFMIND_DB', 'SELFMIND_CHAT_MODEL', 'SELFMIND_MEMORY_MODEL', 'NVIM', 'NVIM_APPNAME' }) do
    vim.env[name] = nil
  end

  package.path = table.concat({
    folder .. '/?.lua',
    '/usr/share/lua/5.1/?.lua',
    '/usr/share/lua/5.1/?/init.lua',
    package.path,
  }, ';')
  for _, pattern in ipairs({ '/usr/lib/*/lua/5.1', '/opt/homebrew/lib/lua/5.1', '/usr/local/lib/lua/5.1' }) do
    for _, path in ipairs(vim.fn.glob(pattern, false, true)) do
      package.cpath = path .. '/?.so;' .. package.cpath
    end
  end

  local specs = vim.fn.sort(vim.fn.glob(folder .. '/*_spec.lua', false, true))
  if part and part ~= '' then
    specs = vim.tbl_filter(function(spec)
      return vim.fs.basename(spec):find(part, 1, true) ~= nil
    end, specs)
  end
  if #specs == 0 then
    print('0 successes / 0 failures / 0 errors / 0 pending : no file is called so')
    return
  end
  _G.arg = vim.list_extend({ [0] = 'busted', '--output=plainTerminal' }, specs)
  if filter and filter ~= '' then
    table.insert(_G.arg, 1, '--filter=' .. filter)
  end
  require('busted.runner')({ standalone = false })
end
