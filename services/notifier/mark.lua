-- Marks what became of a letter that was taken.
--
-- KEYS  1 letters that were given up
-- ARGV  1 prefix, 2 letter, 3 mark of who took it, 4 state, 5 when it is due again, 6 why, 7 now, 8 attempts
--       given back, 9 until when its lane rests, 10 seconds that letters are kept, 11 letters that a list
--       holds at most
--
-- Answers 1, or 0 if somebody else has taken it meanwhile; then nothing is written.

local dead = KEYS[1]
local prefix, letter, state, again, now = ARGV[1], ARGV[2], ARGV[4], ARGV[5], ARGV[7]
local key = prefix .. 'letter:' .. letter
local fields = redis.call('HMGET', key, 'k', 'i', 'x', 'l', 's')
local lane = fields[4]

if fields[1] ~= ARGV[3] or fields[5] ~= 'sending' then
  return 0
end

local withdrawn = fields[2] ~= ''
if withdrawn and state ~= 'sent' then
  state = 'withdrawn'
end
redis.call('HSET', key, 's', state, 'w', ARGV[6], 't', now, 'k', '', 'd', now)
if tonumber(ARGV[8]) > 0 then
  redis.call('HINCRBY', key, 'a', -tonumber(ARGV[8]))
end
redis.call('HSET', prefix .. 'rests', lane, whole(math.max(tonumber(ARGV[9]), tonumber(now))))
if state == 'waiting' or state == 'held' then
  redis.call('HSET', key, 'd', again)
  -- A letter that is held because its lane rests keeps its place before those that come later.
  local keeps_place = state == 'held' and tonumber(ARGV[9]) >= tonumber(again)
  wait_in(prefix, lane, letter, keeps_place and now or again)
else
  leave(prefix, lane, letter)
end
if state == 'dead' then
  redis.call('ZADD', dead, now, letter)
  redis.call('ZREMRANGEBYRANK', dead, 0, -1001)
end
if state == 'sent' and withdrawn and fields[2] ~= 'none' then
  local bounds = { now = now, keep = tonumber(ARGV[10]), most = tonumber(ARGV[11]) }
  correct(prefix, bounds, letter, fields[2], fields[3])
end
return 1
