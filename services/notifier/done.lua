-- Notes that letters which a digest told are marked; when all are, the next digest may come.
--
-- KEYS  1 addressees by when their digest is due, 2 what an addressee's next digest tells, 3 what his last
--       one told and is not marked yet
-- ARGV  1 addressee, 2 when this digest was due, 3 when the next one is due; then letters

local digests, list, telling = KEYS[1], KEYS[2], KEYS[3]
for at = 4, #ARGV do
  redis.call('HDEL', telling, ARGV[at])
end
local due = redis.call('ZSCORE', digests, ARGV[1])
if due and tonumber(due) == tonumber(ARGV[2]) and redis.call('EXISTS', telling) == 0 then
  if redis.call('EXISTS', list) == 1 then
    redis.call('ZADD', digests, ARGV[3], ARGV[1])
  else
    redis.call('ZREM', digests, ARGV[1])
  end
end
return 1
