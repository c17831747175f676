-- Takes letters that are due, one of a lane, for a while: who takes one and dies leaves it to the next.
--
-- KEYS  1 lanes by when they are due
-- ARGV  1 prefix, 2 now, 3 until when letters and lanes are taken, 4 how many at most, 5 mark of who
--       takes them
--
-- Answers the letters, each as its id and all of its fields.

local prefix, now, till = ARGV[1], ARGV[2], ARGV[3]

local found = {}
for _, lane in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[4])) do
  local letters = lane_key(prefix, lane)
  local letter = redis.call('ZRANGEBYSCORE', letters, '-inf', now, 'LIMIT', 0, 1)[1]
  while letter do
    local key = prefix .. 'letter:' .. letter
    local state = redis.call('HGET', key, 's')
    if state == 'waiting' or state == 'held' or state == 'sending' then
      redis.call('HSET', key, 's', 'sending', 'k', ARGV[5], 't', now, 'd', till)
      redis.call('HINCRBY', key, 'a', 1)
      -- The letter keeps its place: it is the lane that is taken.
      redis.call('HSET', prefix .. 'rests', lane, till)
      found[#found + 1] = { letter, redis.call('HGETALL', key) }
      break
    end
    -- It is kept no more, or is not to be sent.
    redis.call('ZREM', letters, letter)
    letter = redis.call('ZRANGEBYSCORE', letters, '-inf', now, 'LIMIT', 0, 1)[1]
  end
  put_in_line(prefix, lane)
end
return found
