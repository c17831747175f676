-- How letters are written, and wait in lanes. This stands before the scripts that write letters.
--
-- A lane is a sorted set of its letters by when they are due. Lanes stand in a sorted set by when their
-- first letter is due, but never before the lane's rest is over: while a letter is under way, and while
-- the service wants to be left alone. A lane that was served stands behind those that were not.

local function lane_key(prefix, lane)
  return prefix .. 'lane:' .. lane
end

local function whole(number)
  return string.format('%d', number)
end

local function put_in_line(prefix, lane)
  local first = redis.call('ZRANGE', lane_key(prefix, lane), 0, 0, 'WITHSCORES')
  if #first == 0 then
    redis.call('ZREM', prefix .. 'lanes', lane)
    redis.call('HDEL', prefix .. 'rests', lane)
    return
  end
  local rest = tonumber(redis.call('HGET', prefix .. 'rests', lane) or '0')
  redis.call('ZADD', prefix .. 'lanes', whole(math.max(tonumber(first[2]), rest)), lane)
end

local function wait_in(prefix, lane, letter, due)
  redis.call('ZADD', lane_key(prefix, lane), due, letter)
  put_in_line(prefix, lane)
end

local function leave(prefix, lane, letter)
  redis.call('ZREM', lane_key(prefix, lane), letter)
  put_in_line(prefix, lane)
end

local function listed(list, letter, now, keep, most)
  redis.call('ZADD', list, now, letter)
  redis.call('ZREMRANGEBYRANK', list, 0, -most - 1)
  redis.call('EXPIRE', list, keep)
end

-- Writes a letter, unless it is there already; `bounds` are now, seconds that letters are kept, and
-- how many a list holds at most.
local function write(prefix, bounds, letter)
  local key = prefix .. 'letter:' .. letter.id
  if redis.call('EXISTS', key) == 1 then
    return
  end
  local now, keep, most = bounds.now, bounds.keep, bounds.most
  redis.call('HSET', key, 'n', letter.body, 'p', letter.addressee, 'c', letter.channel, 'l', letter.lane,
    'b', letter.table, 's', letter.state, 'a', 0, 'w', '', 't', now, 'd', now, 'x', '', 'i', '', 'k', '')
  redis.call('EXPIRE', key, keep)
  local letters = prefix .. 'notice:' .. letter.notice
  redis.call('SADD', letters, letter.id)
  redis.call('EXPIRE', letters, keep)
  listed(prefix .. 'of:' .. letter.addressee, letter.id, now, keep, most)
  if letter.table ~= '' then
    listed(prefix .. 'at:' .. letter.table, letter.id, now, keep, most)
  end
  if letter.state == 'waiting' then
    wait_in(prefix, letter.lane, letter.id, now)
  end
end

-- Writes the correction of a letter that has arrived, or may have.
local function correct(prefix, bounds, id, correction, body)
  local fields = redis.call('HMGET', prefix .. 'letter:' .. id, 'p', 'c', 'l', 'b')
  write(prefix, bounds, {
    id = correction .. '/' .. fields[2], notice = correction, body = body, addressee = fields[1],
    channel = fields[2], lane = fields[3], table = fields[4], state = 'waiting',
  })
end
