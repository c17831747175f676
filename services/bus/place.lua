-- How far a reader of a feed has come: what every script that keeps something made of a feed begins with.
--
-- Such a script may keep what it was given only if `may_keep` and, for each table, `is_written` say so.

-- The numbers in the id of an entry, which compare.
local function numbers_of(id)
  local first, second = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(first), tonumber(second)
end

-- Whether the reader still stands at a place ('' for not begun), and the feed reaches to another ('' for as
-- before). It does not where the store was restarted without its last second.
local function may_keep(readers, feed, reader, before, now)
  if (redis.call('HGET', readers, reader) or '') ~= before then
    return false
  end
  if now == '' then
    return true
  end
  local first, second = numbers_of(now)
  local newest = redis.call('XREVRANGE', feed, '+', '-', 'COUNT', 1)[1]
  local newest_first, newest_second = numbers_of(newest and newest[1] or '0-0')
  return newest_first > first or (newest_first == first and newest_second >= second)
end

-- Whether a table's log still has the record of this version and digest, or goes on beyond it. A digest ''
-- asks nothing.
local function is_written(log, version, digest)
  if digest == '' then
    return true
  end
  local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
  if not last then
    return false
  end
  local stands = numbers_of(last[1])
  if stands ~= version then
    return stands > version
  end
  for at = 1, #last[2], 2 do
    if last[2][at] == 'd' then
      return last[2][at + 1] == digest
    end
  end
  return false
end

