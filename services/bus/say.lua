-- Writes a line of chat, once, and touches nothing of the minute book.
--
-- KEYS  1 head of the table, 2 chat, 3 what was sent
-- ARGV  1 the line's name among what was sent, 2 the person who says it,
--       3 channel, 4 table, 5 lines of a person in a minute at most, 6 lines of all in a minute at most,
--       7 lines at most, 8 sender, 9 text, 10 the client's id, 11 whom it is for ('' for everybody)
--
-- Answers {'said', id} with the id that the line has, also if it was said before; else {'unknown'} (no
-- such table), {'archived'}, {'often'} or {'full'}, and nothing is written.

local call = redis.call

local version, archived = unpack(call('HMGET', KEYS[1], 'v', 'a'))
if not version then
  return {'unknown'}
elseif archived then
  return {'archived'}
end
local before = call('HGET', KEYS[3], ARGV[1])
if before then
  return {'said', before}
end
if call('XLEN', KEYS[2]) >= tonumber(ARGV[7]) then
  return {'full'}
end

local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local recent = call('XRANGE', KEYS[2], string.format('%.0f', now - 59999), string.format('%.0f', now),
  'COUNT', ARGV[6])
local mine = 0
for _, line in ipairs(recent) do
  -- A line's fields begin with its sender: the person, or a program of his behind a stroke.
  local sender = line[2][2]
  if string.match(sender, '^[^/]*') == ARGV[2] then
    mine = mine + 1
  end
end
if mine >= tonumber(ARGV[5]) or #recent >= tonumber(ARGV[6]) then
  return {'often'}
end

local line = {'f', ARGV[8], 't', ARGV[9], 'v', version, 'i', ARGV[10]}
if ARGV[11] ~= '' then
  line[#line + 1] = 'o'
  line[#line + 1] = ARGV[11]
end
local id = call('XADD', KEYS[2], '*', unpack(line))
call('HSET', KEYS[3], ARGV[1], id)
call('PUBLISH', ARGV[3], ARGV[4])
return {'said', id}
