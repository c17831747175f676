-- Do the timers of a partition that are due: send an order, or prompt the notifier.
--
-- KEYS  1 timers by due moment, 2 what timers do, 3 commands, 4 prompts, 5 timers of each table
-- ARGV  1 the moment, 2 how many at most, 3 how the keys of the partition's tables begin, 4 how long a
--       timer is left alone whose table has records that were not reckoned yet
--
-- A timer of a table whose book goes on beyond what was reckoned may be one that is not due any more: it
-- waits until the clock has read on, also where a clock has just been started.
--
-- Answers how many were done, when the next one is due ('' if there is none), and the name and due moment
-- of each that was done. A timer is done and gone in one act, so whoever dies here has done it or has not,
-- and nobody does it again.

local timers, bodies, commands, prompts = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local call = redis.call

local function is_behind(name)
  local id = string.match(name, '^[^ ]+')
  local known = call('HGET', KEYS[5], id)
  local stands = call('HGET', ARGV[3] .. id .. ':head', 'v')
  return known and stands and tonumber(string.match(known, '^%d+')) < tonumber(stands)
end

local due = call('ZRANGEBYSCORE', timers, '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
local done = {}
for at = 1, #due, 2 do
  local name = due[at]
  if not is_behind(name) then
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
    done[#done + 1] = name
    done[#done + 1] = due[at + 1]
  end
end

local following = call('ZRANGE', timers, 0, 0, 'WITHSCORES')[2] or ''
if #done < #due then
  following = string.format('%d', tonumber(ARGV[1]) + tonumber(ARGV[4]))
end
return {#done / 2, following, done}
