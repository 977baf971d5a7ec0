-- Runs the end-to-end tests: `nvim -l tests/e2e/run.lua [PART [FILTER]]`. $SELFMIND_BIN has the host and the test
-- server, $SELFMIND_NVIM is the Neovim under test.

local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))
local root = vim.fs.dirname(vim.fs.dirname(here))
vim.env.SELFMIND_BIN = vim.env.SELFMIND_BIN or (root .. '/build/dev/bin')
vim.env.SELFMIND_NVIM = vim.env.SELFMIND_NVIM or vim.v.progpath
vim.g.selfmind_root = root
dofile(root .. '/tests/lua/support/busted.lua')(here, _G.arg[1], _G.arg[2])
