-- Takes letters that are due, for a while: who takes one and dies leaves it to the next.
--
-- KEYS  1 letters that are due
-- ARGV  1 prefix, 2 now, 3 until when they are taken, 4 how many at most, 5 mark of who takes them
--
-- Answers the letters, each as its id and all of its fields.

local found = {}
for _, letter in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[2], 'LIMIT', 0, ARGV[4])) do
  local key = ARGV[1] .. 'letter:' .. letter
  local state = redis.call('HGET', key, 's')
  if state == 'waiting' or state == 'held' or state == 'sending' then
    redis.call('HSET', key, 's', 'sending', 'k', ARGV[5], 't', ARGV[2], 'd', ARGV[3])
    redis.call('HINCRBY', key, 'a', 1)
    redis.call('ZADD', KEYS[1], ARGV[3], letter)
    found[#found + 1] = { letter, redis.call('HGETALL', key) }
  else
    redis.call('ZREM', KEYS[1], letter)
  end
end
return found
