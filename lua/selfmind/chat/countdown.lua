-- The seconds until a request is tried again, told once a second.

local M = {}

---@class selfmind.Countdown
---@field timer uv.uv_timer_t

---@param milliseconds integer
---@param tell fun(seconds: integer) at once, then each second; the last time with 0
---@return selfmind.Countdown
function M.start(milliseconds, tell)
  local due = vim.uv.now() + milliseconds
  local countdown = { timer = assert(vim.uv.new_timer()) }
  local function tick()
    if countdown.timer:is_closing() then
      return
    end
    local left = math.max(0, math.ceil((due - vim.uv.now()) / 1000))
    if left == 0 then
      M.stop(countdown)
    end
    tell(left)
  end
  -- On whole seconds before the end, so that no number is left out.
  countdown.timer:start(milliseconds % 1000, 1000, vim.schedule_wrap(tick))
  tell(math.ceil(milliseconds / 1000))
  return countdown
end

---@param countdown selfmind.Countdown?
function M.stop(countdown)
  if countdown and not countdown.timer:is_closing() then
    countdown.timer:close()
  end
end

return M
