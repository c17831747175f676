-- The only writer of views: those of some tables of a partition and how far the feed has been read for
-- them, as one act.
--
-- `services/bus/place.lua` stands before it.
--
-- KEYS  1 readers of the feed, 2 the feed, 3 lobby, 4 who is waited for; then for each table: its log, its
--       views
-- ARGV  1 name of the reader, 2 how far it had come ('' for not begun), 3 how far it has come now ('' for
--       as before), 4 channel for announcements, 5 number of tables;
--       then for each table: version and its record's digest; then for each table: id, version,
--       announcement, line in the lobby, players it waits for (each followed by NUL), number of views, and
--       for each view its name and itself
--
-- Answers 1, or 0 if another projector has been here meanwhile, or if what was folded is not in the store
-- any more; then nothing is written. Views of a table that show a later version already are left alone. Those of the same version are replaced: the book may
-- have been sealed anew.

local readers, feed, lobby, waiting = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local reader, before, now, channel, count = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

if not may_keep(readers, feed, reader, before, now) then
  return 0
end

local function each_player(joined, act)
  for player in string.gmatch(joined, '([^%z]+)%z') do
    act(player)
  end
end

local at = 5
for number = 1, count do
  if not is_written(KEYS[3 + 2 * number], tonumber(ARGV[at + 1]), ARGV[at + 2]) then
    return 0
  end
  at = at + 2
end

for number = 1, count do
  local views = KEYS[4 + 2 * number]
  local id, version, announcement = ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3]
  local line, players, fields = ARGV[at + 4], ARGV[at + 5], tonumber(ARGV[at + 6])
  at = at + 6

  local old = redis.call('HMGET', views, 'version', 'waiting')
  if not old[1] or tonumber(old[1]) <= version then
    each_player(old[2] or '', function(player)
      redis.call('ZREM', waiting, player .. '\0' .. id)
    end)
    each_player(players, function(player)
      redis.call('ZADD', waiting, 0, player .. '\0' .. id)
    end)
    for field = 0, fields - 1 do
      redis.call('HSET', views, ARGV[at + 2 * field + 1], ARGV[at + 2 * field + 2])
    end
    redis.call('HSET', views, 'version', string.format('%d', version), 'waiting', players)
    redis.call('HSET', lobby, id, line)
    redis.call('PUBLISH', channel, announcement)
  end
  at = at + 2 * fields
end

if now ~= '' then
  redis.call('HSET', readers, reader, now)
end
return 1
