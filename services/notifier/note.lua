-- Notes which tables are to be looked at, and how far a stream has been read, as one act.
--
-- KEYS  1 places, 2 tables to look at, 3 versions that are to be seen, 4 since when they wait
-- ARGV  1 prefix, 2 name of the reader, 3 how far it had come ('' for not begun), 4 how far it has come
--       now, 5 now, 6 microseconds that a table is to be quiet, 7 microseconds it may wait at most;
--       then for each entry: table, version, id of a prompt ('' for none), prompt
--
-- Answers 1, or 0 if another notifier has been here meanwhile; then nothing is written.

local places, looks, marks, firsts = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local now, quiet, most = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])

if (redis.call('HGET', places, ARGV[2]) or '') ~= ARGV[3] then
  return 0
end

for at = 8, #ARGV, 4 do
  local id, version, prompt, body = ARGV[at], tonumber(ARGV[at + 1]), ARGV[at + 2], ARGV[at + 3]
  local first = tonumber(redis.call('HGET', firsts, id))
  if not first then
    first = now
    redis.call('HSET', firsts, id, string.format('%d', now))
  end
  local due = math.min(now + quiet, first + most)
  if prompt ~= '' then
    redis.call('HSET', ARGV[1] .. 'prompted:' .. id, prompt, body)
    due = now
  end
  redis.call('ZADD', looks, string.format('%d', due), id)
  local mark = redis.call('HGET', marks, id)
  if not mark or tonumber(mark) < version then
    redis.call('HSET', marks, id, string.format('%d', version))
  end
end

redis.call('HSET', places, ARGV[2], ARGV[4])
return 1
