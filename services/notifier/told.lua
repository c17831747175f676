-- Marks a letter that a digest told; one that was withdrawn meanwhile is corrected.
--
-- ARGV  1 prefix, 2 letter, 3 now, 4 seconds that letters are kept, 5 letters that a list holds at most
-- KEYS  1 the letter

local fields = redis.call('HMGET', KEYS[1], 's', 'i', 'x')
local state, correction = fields[1], fields[2]
if state ~= 'digest' and not (state == 'withdrawn' and correction ~= '') then
  return 0
end
redis.call('HSET', KEYS[1], 's', 'sent', 'w', 'in a digest', 't', ARGV[3], 'i', '')
if state == 'withdrawn' and correction ~= 'none' then
  local bounds = { now = ARGV[3], keep = tonumber(ARGV[4]), most = tonumber(ARGV[5]) }
  correct(ARGV[1], bounds, ARGV[2], correction, fields[3])
end
return 1
