-- What the replies of a chat have used together. Pure.

local M = {}

---@class selfmind.Usage tokens
---@field input integer neither from the cache nor into it
---@field output integer
---@field cache_read integer
---@field cache_write integer

---@class selfmind.Spent
---@field tokens selfmind.Usage
---@field cost_usd? number nil where the price of a reply is not known
---@field counted integer id of the newest reply in it

---@return selfmind.Spent
function M.new()
  return { tokens = { input = 0, output = 0, cache_read = 0, cache_write = 0 }, cost_usd = 0, counted = 0 }
end

---@param usage selfmind.Usage
---@return integer
function M.total(usage)
  return usage.input + usage.output + usage.cache_read + usage.cache_write
end

---Counts a reply that is complete, once.
---@param spent selfmind.Spent
---@param reply? integer
---@param usage? selfmind.Usage
---@param cost_usd? number
function M.add(spent, reply, usage, cost_usd)
  if not reply or reply <= spent.counted then
    return
  end
  spent.counted = reply
  if not usage or M.total(usage) == 0 then
    return
  end
  for name, count in pairs(spent.tokens) do
    spent.tokens[name] = count + usage[name]
  end
  spent.cost_usd = spent.cost_usd and cost_usd and spent.cost_usd + cost_usd
end

---@param spent selfmind.Spent
---@return number? share of what was read that came from the cache, 0 to 1
function M.cached(spent)
  local tokens = spent.tokens
  local read = tokens.input + tokens.cache_read + tokens.cache_write
  return read > 0 and tokens.cache_read / read or nil
end

return M
