-- Keep the timers and deadlines of some tables of a partition, prompt the notifier, and move the place in
-- the feed, as one act.
--
-- `services/bus/place.lua` stands before it.
--
-- KEYS  1 readers of the feed, 2 the feed, 3 timers by due moment, 4 what timers do, 5 timers of each table,
--       6 prompts, 7 reckonings by table; then for each table: its log, its deadlines
-- ARGV  1 name of the reader, 2 how far it had come ('' for not begun), 3 how far it has come now ('' for
--       as before), 4 number of tables; then for each table: version and its record's digest; then for
--       each table: id, version, its reckoning ('' for none), number of timers and for each its name, due
--       moment and body, number of deadlines and for each player and deadline, number of prompts and each
--       of them
--
-- Answers 1, or 0 if another clock has been here meanwhile, or if what was reckoned with is not in the
-- store any more; then nothing is written. Of each table the names of its timers are kept, the version
-- first, so that a timer that was done is not set again: it is among the names, and does nothing any more.
-- A table that is kept at a later version is left alone.

local readers, feed, timers, bodies, tables, prompts = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local reckonings = KEYS[7]
local reader, before, now, count = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local call = redis.call

if not may_keep(readers, feed, reader, before, now) then
  return 0
end

local at = 4
local function take()
  at = at + 1
  return ARGV[at]
end

for number = 1, count do
  local version, digest = tonumber(take()), take()
  if not is_written(KEYS[6 + 2 * number], version, digest) then
    return 0
  end
end

for number = 1, count do
  local id, version, reckoning = take(), tonumber(take()), take()
  local old, known = {}, call('HGET', tables, id)
  local stands = -1
  if known then
    for name in string.gmatch(known, '[^\n]+') do
      if stands < 0 then
        stands = tonumber(name)
      else
        old[name] = true
      end
    end
  end
  local is_newer = stands <= version
  local names = {string.format('%d', version)}
  for _ = 1, tonumber(take()) do
    local name, due, body = take(), take(), take()
    if is_newer then
      names[#names + 1] = name
      -- One that is known and not set any more has been done.
      if not old[name] or call('ZSCORE', timers, name) then
        call('ZADD', timers, due, name)
        call('HSET', bodies, name, body)
      end
      old[name] = nil
    end
  end
  local deadlines = KEYS[7 + 2 * number]
  if is_newer then
    for name in pairs(old) do
      call('ZREM', timers, name)
      call('HDEL', bodies, name)
    end
    if #names > 1 then
      call('HSET', tables, id, table.concat(names, '\n'))
    else
      call('HDEL', tables, id)
    end
    call('DEL', deadlines)
    if reckoning ~= '' then
      call('HSET', reckonings, id, reckoning)
    else
      call('HDEL', reckonings, id)
    end
  end
  for _ = 1, tonumber(take()) do
    local player, deadline = take(), take()
    if is_newer then
      call('HSET', deadlines, player, deadline)
    end
  end
  for _ = 1, tonumber(take()) do
    call('XADD', prompts, '*', 'p', take())
  end
end

if now ~= '' then
  call('HSET', readers, reader, now)
end
return 1
