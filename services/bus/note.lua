-- Keeps somebody's notes at a table, unless they have changed since they were read.
--
-- KEYS  1 head of the table, 2 notes
-- ARGV  1 person, 2 notes as they were ('' for none), 3 notes as they are to be ('' for none)
--
-- Answers 1, or 0 if they were no longer what they were, or the table has gone into the archive.

if redis.call('HEXISTS', KEYS[1], 'a') == 1 then
  return 0
end
if (redis.call('HGET', KEYS[2], ARGV[1]) or '') ~= ARGV[2] then
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
end
return 1
