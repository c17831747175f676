-- Moves the mark up to which somebody has read: never back, and never past the last line there is.
--
-- KEYS  1 chat, 2 marks
-- ARGV  1 person, 2 id of a line
--
-- Answers the mark as it is then ('' if there is none).

local function parts(id)
  local first, second = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(first), tonumber(second)
end

local function is_after(one, other)
  local first, second = parts(one)
  local third, fourth = parts(other)
  return first > third or (first == third and second > fourth)
end

local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
local before = redis.call('HGET', KEYS[2], ARGV[1])
if not last then
  return before or ''
end
local mark = ARGV[2]
if is_after(mark, last[1]) then
  mark = last[1]
end
if before and not is_after(mark, before) then
  return before
end
redis.call('HSET', KEYS[2], ARGV[1], mark)
return mark
