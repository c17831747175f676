-- The only writer of minute books: what a batch of commands of one partition leads to, as one act.
--
-- KEYS  1 lease, 2 commands, 3 feed, 4 dead letters, 5 set of tables;
--       then for each table of the batch: log, head, outcomes, snapshot
-- ARGV  1 epoch, 2 consumer group, 3 seconds that outcomes of a table that does not exist are kept,
--       4 the writes, one after another, each of fifteen texts that have their length before them:
--         number of the table among KEYS (from 0), its id, id of the command ('' if it could not be
--         read), its entry in the stream ('' for none), channel of the answer ('' for none), the answer
--         up to its outcome, version (-1 if that does not matter) and digest that it was decided
--         against, outcome, body of the record ('' for a refusal), its digest and format, snapshot
--         after it ('' for none), reason of a dead letter ('' for none) and its fields
--
-- Answers {'fenced'} if another engine holds the lease, and writes nothing. Else one answer for each
-- write: 1 for stored, {outcome} if the command had one already, the version of the table for a write
-- that was decided against another, less 1 and negated: -1 for version 0, -2 for version 1. A command
-- that was stored or repeated is answered and gone from its stream; one in conflict still waits there.

local lease, commands, feed, dead, tables = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local group, keep_seconds = ARGV[2], ARGV[3]
local call = redis.call

if call('HGET', lease, 'epoch') ~= ARGV[1] then
  return {'fenced'}
end

local STORED = 1
local WRITE = '>' .. string.rep('I4c0', 15)
local writes, at = ARGV[4], 1
local answers, done = {}, {}

while at <= #writes do
  local place, table_id, command, entry, channel, answer_head, version, against, outcome, body
  local digest, format, saved, why, fields
  place, table_id, command, entry, channel, answer_head, version, against, outcome, body,
    digest, format, saved, why, fields, at = struct.unpack(WRITE, writes, at)
  local key = 5 + tonumber(place) * 4
  local log, head, outcomes, snapshot = KEYS[key + 1], KEYS[key + 2], KEYS[key + 3], KEYS[key + 4]

  -- The first outcome of a command is its only one. A command without an id has none to keep.
  local first = command ~= '' and call('HGET', outcomes, command)
  local answer = STORED
  if first then
    answer, outcome = {first}, first
  elseif command ~= '' then
    local stands = call('HMGET', head, 'v', 'd', 'a')
    local present = stands[1] or '0'
    -- Nothing is written at a table whose book is in the archive, whatever an engine remembers of it.
    if version ~= '-1' and (present ~= version or stands[3] or (stands[2] and stands[2] ~= against)) then
      answer = -1 - tonumber(present)
    else
      call('HSET', outcomes, command, outcome)
      if body ~= '' then
        local next_version = string.format('%d', tonumber(version) + 1)
        call('XADD', log, next_version .. '-0', 'f', format, 'b', body, 'd', digest)
        call('XADD', feed, '*', 't', table_id, 'v', next_version)
        call('HSET', head, 'v', next_version, 'd', digest)
        if version == '0' then
          call('SADD', tables, table_id)
          call('PERSIST', outcomes)
        end
        if saved ~= '' then
          call('SET', snapshot, saved)
        end
      elseif present == '0' then
        call('EXPIRE', outcomes, keep_seconds)
      end
    end
  end

  if answer == STORED or first then
    if why ~= '' and not first then
      call('XADD', dead, '*', 'why', why, 'entry', entry, 'fields', fields)
    end
    if entry ~= '' then
      done[#done + 1] = entry
    end
    if channel ~= '' then
      call('PUBLISH', channel, answer_head .. outcome)
    end
  end
  answers[#answers + 1] = answer
end

if #done > 0 then
  call('XACK', commands, group, unpack(done))
  call('XDEL', commands, unpack(done))
end
return answers
