-- Marks what became of a letter that was taken.
--
-- KEYS  1 letters that are due, 2 letters that were given up
-- ARGV  1 prefix, 2 letter, 3 mark of who took it, 4 state, 5 when it is due again, 6 why, 7 now, 8 attempts
--       given back, 9 seconds that letters are kept
--
-- Answers 1, or 0 if somebody else has taken it meanwhile; then nothing is written.

local due, dead = KEYS[1], KEYS[2]
local prefix, letter, state, again, now = ARGV[1], ARGV[2], ARGV[4], ARGV[5], ARGV[7]
local key = prefix .. 'letter:' .. letter
local fields = redis.call('HMGET', key, 'k', 'i', 'x', 'p', 'c', 'n', 's')

if fields[1] ~= ARGV[3] or fields[7] ~= 'sending' then
  return 0
end

local withdrawn = fields[2] and fields[2] ~= ''
if withdrawn and state ~= 'sent' then
  state = 'withdrawn'
end
redis.call('HSET', key, 's', state, 'w', ARGV[6], 't', now, 'k', '', 'd', now)
if tonumber(ARGV[8]) > 0 then
  redis.call('HINCRBY', key, 'a', -tonumber(ARGV[8]))
end
if state == 'waiting' or state == 'held' then
  redis.call('HSET', key, 'd', again)
  redis.call('ZADD', due, again, letter)
else
  redis.call('ZREM', due, letter)
end
if state == 'dead' then
  redis.call('ZADD', dead, now, letter)
  redis.call('ZREMRANGEBYRANK', dead, 0, -1001)
end
if state == 'sent' and withdrawn and fields[2] ~= 'none' then
  local correction = fields[2] .. '/' .. fields[5]
  local other = prefix .. 'letter:' .. correction
  if redis.call('EXISTS', other) == 0 then
    redis.call('HSET', other, 'n', fields[3], 'p', fields[4], 'c', fields[5], 's', 'waiting', 'a', 0,
      'w', '', 't', now, 'd', now, 'x', '', 'i', '')
    redis.call('EXPIRE', other, tonumber(ARGV[9]))
    redis.call('SADD', prefix .. 'notice:' .. fields[2], correction)
    redis.call('EXPIRE', prefix .. 'notice:' .. fields[2], tonumber(ARGV[9]))
    redis.call('ZADD', due, now, correction)
    redis.call('ZADD', prefix .. 'of:' .. fields[4], now, correction)
  end
end
return 1
