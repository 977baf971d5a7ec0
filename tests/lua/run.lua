-- Runs the Lua tests in this Neovim: `nvim -l tests/lua/run.lua [PART [FILTER]]`.

local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))
vim.opt.runtimepath:prepend(vim.fs.dirname(vim.fs.dirname(here)))
dofile(here .. '/support/busted.lua')(here, _G.arg[1], _G.arg[2])
