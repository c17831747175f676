-- Writes the letters of a digest and takes what it tells off the list, as one act.
--
-- KEYS  1 addressees whose digest is due, 2 what an addressee's next digest tells, 3 letters that are due
-- ARGV  1 prefix, 2 addressee, 3 now, 4 seconds that letters are kept, 5 notice's id, 6 notice,
--       7 when the next digest is due; 8 number of channels, then their names; then the letters that
--       are told or hold no more
--
-- Answers how many letters were written.

local digests, list, due = KEYS[1], KEYS[2], KEYS[3]
local prefix, addressee, now, keep = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local channels = tonumber(ARGV[8])

local count = 0
for at = 9, 8 + channels do
  local letter = ARGV[5] .. '/' .. ARGV[at]
  local key = prefix .. 'letter:' .. letter
  if redis.call('EXISTS', key) == 0 then
    redis.call('HSET', key, 'n', ARGV[6], 'p', addressee, 'c', ARGV[at], 's', 'waiting', 'a', 0,
      'w', '', 't', now, 'd', now, 'x', '', 'i', '')
    redis.call('EXPIRE', key, keep)
    redis.call('ZADD', prefix .. 'of:' .. addressee, now, letter)
    redis.call('ZADD', due, now, letter)
    count = count + 1
  end
end
for at = 9 + channels, #ARGV do
  redis.call('HDEL', list, ARGV[at])
end
if redis.call('EXISTS', list) == 1 then
  redis.call('ZADD', digests, ARGV[7], addressee)
else
  redis.call('ZREM', digests, addressee)
end
return count
