-- What a look at a table led to, as one act.
--
-- KEYS  1 what is remembered of tables, 2 tables to look at, 3 versions that are to be seen, 4 since when
--       they wait, 5 letters that were given up
-- ARGV  1 prefix, 2 table, 3 its memory before ('' for none), 4 its memory now, 5 version seen, 6 now,
--       7 seconds that letters are kept, 8 letters that a list holds at most, 9 microseconds until the
--       next look if there is more to see; 10 number of prompts, then their ids; number of letters, then
--       for each: id, notice's id, addressee, channel, lane, notice, state; number of withdrawn notices,
--       then for each: its id, id of the correction ('' for none), correction
--
-- Answers 1, or 0 if another notifier has been here meanwhile; then nothing is written.

local told, looks, marks, firsts, dead = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local prefix, id, now = ARGV[1], ARGV[2], ARGV[6]
local bounds = { now = now, keep = tonumber(ARGV[7]), most = tonumber(ARGV[8]) }

if (redis.call('HGET', told, id) or '') ~= ARGV[3] then
  return 0
end
redis.call('HSET', told, id, ARGV[4])

local at = 10
for _ = 1, tonumber(ARGV[at]) do
  at = at + 1
  redis.call('HDEL', prefix .. 'prompted:' .. id, ARGV[at])
end

at = at + 1
for _ = 1, tonumber(ARGV[at]) do
  write(prefix, bounds, {
    id = ARGV[at + 1], notice = ARGV[at + 2], addressee = ARGV[at + 3], channel = ARGV[at + 4],
    lane = ARGV[at + 5], body = ARGV[at + 6], state = ARGV[at + 7], table = id,
  })
  at = at + 7
end

at = at + 1
for _ = 1, tonumber(ARGV[at]) do
  local notice, correction, body = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  at = at + 3
  local letters = redis.call('SMEMBERS', prefix .. 'notice:' .. notice)
  table.sort(letters)
  for _, letter in ipairs(letters) do
    local key = prefix .. 'letter:' .. letter
    local fields = redis.call('HMGET', key, 's', 'l')
    local state, lane = fields[1], fields[2]
    if state == 'waiting' or state == 'held' or state == 'digest' or state == 'dead' then
      redis.call('HSET', key, 's', 'withdrawn', 't', now)
      leave(prefix, lane, letter)
      redis.call('ZREM', dead, letter)
    end
    if state == 'sending' or state == 'digest' then
      -- Nobody knows whether it arrives; whoever sends it, or tells it in a digest, looks here afterwards.
      redis.call('HSET', key, 'i', correction == '' and 'none' or correction, 'x', body)
    elseif state == 'sent' and correction ~= '' then
      correct(prefix, bounds, letter, correction, body)
    end
  end
end

local mark = tonumber(redis.call('HGET', marks, id) or '0')
if mark <= tonumber(ARGV[5]) and redis.call('EXISTS', prefix .. 'prompted:' .. id) == 0 then
  redis.call('ZREM', looks, id)
  redis.call('HDEL', marks, id)
  redis.call('HDEL', firsts, id)
else
  redis.call('HSET', firsts, id, now)
  redis.call('ZADD', looks, whole(tonumber(now) + tonumber(ARGV[9])), id)
end
return 1
