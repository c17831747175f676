-- Do the timers of a partition that are due: send an order, or prompt the notifier.
--
-- KEYS  1 timers by due moment, 2 what timers do, 3 commands, 4 prompts
-- ARGV  1 the moment, 2 how many at most
--
-- Answers how many were done, when the next one is due ('' if there is none), and the name and due moment
-- of each that was done. A timer is done and gone in one act, so whoever dies here has done it or has not,
-- and nobody does it again.

local timers, bodies, commands, prompts = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local call = redis.call

local due = call('ZRANGEBYSCORE', timers, '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
for at = 1, #due, 2 do
  local name = due[at]
  local body = call('HGET', bodies, name)
  if body then
    if string.sub(body, 1, 1) == 'c' then
      call('XADD', commands, '*', 'o', string.sub(body, 2))
    else
      call('XADD', prompts, '*', 'p', string.sub(body, 2))
    end
  end
  call('ZREM', timers, name)
  call('HDEL', bodies, name)
end

local following = call('ZRANGE', timers, 0, 0, 'WITHSCORES')
return {#due / 2, following[2] or '', due}
