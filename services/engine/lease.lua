-- The only writer of leases. A lease names its holder, the time at which it runs out, and an epoch that
-- grows with every taking; the append script refuses every epoch but the last.
--
-- KEYS  1 lease
-- ARGV  'take', holder, milliseconds, holder known to be dead ('' for none)
--       'renew', epoch, milliseconds
--       'release', epoch
--
-- Answers {'taken', epoch}, {'held', holder, milliseconds left}, {'renewed'}, {'released'} or {'lost'}.

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local lease = redis.call('HMGET', KEYS[1], 'holder', 'epoch', 'until')
local holder, epoch, ends = lease[1], lease[2] or '0', tonumber(lease[3] or '0')

if ARGV[1] == 'take' then
  local left = ends - now
  if left > tonumber(ARGV[3]) then
    -- The server's clock has been put back. A holder that lives will renew; a dead one must not keep it.
    left = tonumber(ARGV[3])
    redis.call('HSET', KEYS[1], 'until', now + left)
  end
  if left > 0 and holder ~= ARGV[2] and holder ~= ARGV[4] then
    return {'held', holder, left}
  end
  epoch = string.format('%d', tonumber(epoch) + 1)
  redis.call('HSET', KEYS[1], 'holder', ARGV[2], 'epoch', epoch, 'until', now + tonumber(ARGV[3]))
  return {'taken', epoch}
end

if epoch ~= ARGV[2] then
  return {'lost'}
end
if ARGV[1] == 'renew' then
  redis.call('HSET', KEYS[1], 'until', now + tonumber(ARGV[3]))
  return {'renewed'}
end
redis.call('HSET', KEYS[1], 'until', 0)
return {'released'}
