-- A time of the host, as the user's clock shows it.

---@param iso string UTC
---@return string as the user's clock shows it
return function(iso)
  local year, month, day, hour, minute, second = iso:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  local as_if_local = os.time({
    year = year --[[@as integer]],
    month = month --[[@as integer]],
    day = day --[[@as integer]],
    hour = hour --[[@as integer]],
    min = minute --[[@as integer]],
    sec = second --[[@as integer]],
    isdst = false,
  })
  local utc = os.date('!*t', as_if_local) --[[@as osdateparam]]
  utc.isdst = false
  return os.date('%Y-%m-%d %H:%M', as_if_local + os.difftime(as_if_local, os.time(utc))) --[[@as string]]
end
