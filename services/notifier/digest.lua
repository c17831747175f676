-- Writes the letters of a digest and takes what it tells off the list, as one act. What it tells is still
-- to be marked, and until that is done there is no other digest to the same addressee.
--
-- KEYS  1 addressees by when their digest is due, 2 what an addressee's next digest tells, 3 what his last
--       one told and is not marked yet
-- ARGV  1 prefix, 2 addressee, 3 when this digest was due, 4 now, 5 seconds that letters are kept, 6 letters
--       that a list holds at most, 7 when the next digest is due; 8 number of letters, then for each: id,
--       notice's id, channel, lane, notice; number of letters that are told, then their ids; then the
--       letters that hold no more
--
-- Answers 1, or 0 if this digest is not due (any more); then nothing is written.

local digests, list, telling = KEYS[1], KEYS[2], KEYS[3]
local prefix, addressee = ARGV[1], ARGV[2]
local bounds = { now = ARGV[4], keep = tonumber(ARGV[5]), most = tonumber(ARGV[6]) }

local due = redis.call('ZSCORE', digests, addressee)
if not due or tonumber(due) ~= tonumber(ARGV[3]) or redis.call('EXISTS', telling) == 1 then
  return 0
end

local at = 8
for _ = 1, tonumber(ARGV[at]) do
  write(prefix, bounds, {
    id = ARGV[at + 1], notice = ARGV[at + 2], addressee = addressee, channel = ARGV[at + 3],
    lane = ARGV[at + 4], body = ARGV[at + 5], state = 'waiting', table = '',
  })
  at = at + 5
end

at = at + 1
local count = tonumber(ARGV[at])
for told = at + 1, at + count do
  local partition = redis.call('HGET', list, ARGV[told])
  if partition then
    redis.call('HSET', telling, ARGV[told], partition)
    redis.call('HDEL', list, ARGV[told])
  end
end
for over = at + count + 1, #ARGV do
  redis.call('HDEL', list, ARGV[over])
end
if redis.call('EXISTS', telling) == 0 then
  if redis.call('EXISTS', list) == 1 then
    redis.call('ZADD', digests, ARGV[7], addressee)
  else
    redis.call('ZREM', digests, addressee)
  end
end
return 1
