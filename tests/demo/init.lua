-- The profile of `make demo`: this checkout's plugin and nothing else.
local root = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))))
vim.opt.runtimepath:prepend(root)
vim.o.swapfile = false
vim.o.termguicolors = true
vim.o.number = true
vim.o.splitright = true
-- What it shows is recall: on a machine that is still busy with the build, late is better than never.
vim.g.selfmind = { recall_deadline = 10000 }
