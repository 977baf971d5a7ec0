-- Six Neovims on one store for SOAK_SECONDS (120): `nvim -l tests/soak/run.lua`. Prints what they did and exits with 1
-- when a fact was lost or learned twice, a turn did not see what another Neovim was told before it, or an error showed.

local here = vim.fs.dirname(vim.uv.fs_realpath(debug.getinfo(1, 'S').source:sub(2)))
local root = vim.fs.dirname(vim.fs.dirname(here))
package.path = root .. '/tests/e2e/?.lua;' .. package.path
vim.env.SELFMIND_BIN = vim.env.SELFMIND_BIN or (root .. '/build/dev/bin')
vim.env.SELFMIND_NVIM = vim.env.SELFMIND_NVIM or vim.v.progpath
vim.g.selfmind_root = root

local EDITORS = 6
local LIST_TIMES = 20
local LIST_MS = 1000 -- a list has to be right within this

---@param sorted number[]
---@param share number
---@return number
local function at(sorted, share)
  return sorted[math.min(#sorted, math.floor(share * #sorted) + 1)] or 0
end

---@param sorted number[]
---@return string
local function spread(sorted)
  return ('p50 %.0f, p99 %.0f, most %.0f ms'):format(at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1))
end

---@param name string
---@param value any
local function row(name, value)
  print(('%-44s %s'):format(name, value))
end

local seconds = assert(tonumber(vim.env.SOAK_SECONDS or 120), 'SOAK_SECONDS must be a number')
print(('%d Neovims %s for %d s'):format(EDITORS, tostring(vim.version()), seconds))
local run, report = require('support.several').run(EDITORS, seconds)
local list_ms = run:list_ms(LIST_TIMES)
run:close()

if at(list_ms, 0.5) > LIST_MS then
  table.insert(report.wrong, ('a list took %.0f ms to show what another Neovim remembered'):format(at(list_ms, 0.5)))
end
row('facts told', report.facts)
row('  by two Neovims', report.again)
row('turns', #report.turn_ms)
row('  one', spread(report.turn_ms))
row('questions about what another was told', report.asks)
row('  whose request carried the memory', report.by_memory)
row('  or the words, not learned from yet', report.by_words)
row('  that went on without recall (over 50 ms)', report.late)
row("another's memory in an open list after", spread(list_ms))
row('wrong', #report.wrong)
for i = 1, math.min(#report.wrong, 20) do
  print('  ' .. report.wrong[i])
end
os.exit(#report.wrong == 0 and report.asks > 0 and 0 or 1)
