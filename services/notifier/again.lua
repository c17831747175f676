-- Has a letter that was given up tried again, with all of its attempts.
--
-- KEYS  1 letters that were given up
-- ARGV  1 prefix, 2 letter, 3 now
--
-- Answers 1, or 0 if it was not given up.

local prefix, letter, now = ARGV[1], ARGV[2], ARGV[3]
local key = prefix .. 'letter:' .. letter

redis.call('ZREM', KEYS[1], letter)
if redis.call('HGET', key, 's') ~= 'dead' then
  return 0
end
redis.call('HSET', key, 's', 'waiting', 'a', 0, 't', now, 'd', now)
wait_in(prefix, redis.call('HGET', key, 'l'), letter, now)
return 1
