-- The only writer of minute books: what a batch of commands of one partition leads to, as one act.
--
-- KEYS  1 lease, 2 commands, 3 feed, 4 dead letters, 5 set of tables;
--       then for each write: log, head, outcomes, snapshot
-- ARGV  1 epoch, 2 consumer group, 3 number of writes, 4 seconds that outcomes of a table that does
--       not exist are kept;
--       then for each write: table, command id ('' if it could not be read), entry id, answer
--       channel, head of the answer, version and digest that it was decided against ('' if that does
--       not matter), outcome, body, digest and format of the record ('' for a refusal), snapshot ('' for
--       none), reason and fields of a dead letter ('' for none)
--
-- Answers {'fenced'} if another engine holds the lease, and writes nothing. Else one answer for each
-- write: {'stored'}, {'repeated', outcome} or {'conflict', version}. A command that was stored or
-- repeated is answered and gone from its stream; one in conflict still waits there.

local KEYS_BEFORE, KEYS_EACH = 5, 4
local ARGS_BEFORE, ARGS_EACH = 4, 14

local lease, commands, feed, dead, tables = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local group, count, keep_seconds = ARGV[2], tonumber(ARGV[3]), ARGV[4]

if redis.call('HGET', lease, 'epoch') ~= ARGV[1] then
  return {{'fenced'}}
end

local answers, done = {}, {}

for number = 0, count - 1 do
  local key = KEYS_BEFORE + number * KEYS_EACH
  local log, head, outcomes, snapshot = KEYS[key + 1], KEYS[key + 2], KEYS[key + 3], KEYS[key + 4]
  local at = ARGS_BEFORE + number * ARGS_EACH
  local table_id, command, entry, channel = ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4]
  local answer_head, version, digest = ARGV[at + 5], ARGV[at + 6], ARGV[at + 7]
  local outcome, body, body_digest = ARGV[at + 8], ARGV[at + 9], ARGV[at + 10]
  local format, saved, why, fields = ARGV[at + 11], ARGV[at + 12], ARGV[at + 13], ARGV[at + 14]

  -- The first outcome of a command is its only one. A command without an id has none to keep.
  local first = command ~= '' and redis.call('HGET', outcomes, command)
  local answer
  if first then
    answer = {'repeated', first}
    outcome = first
  elseif command == '' then
    answer = {'stored'}
  else
    local stands = redis.call('HMGET', head, 'v', 'd')
    local present = stands[1] or '0'
    if version ~= '' and (present ~= version or (stands[2] and stands[2] ~= digest)) then
      answer = {'conflict', present}
    else
      answer = {'stored'}
      redis.call('HSET', outcomes, command, outcome)
      if body ~= '' then
        local next_version = string.format('%d', tonumber(version) + 1)
        redis.call('XADD', log, next_version .. '-0', 'f', format, 'b', body, 'd', body_digest)
        redis.call('XADD', feed, '*', 't', table_id, 'v', next_version)
        redis.call('HSET', head, 'v', next_version, 'd', body_digest)
        if version == '0' then
          redis.call('SADD', tables, table_id)
          redis.call('PERSIST', outcomes)
        end
        if saved ~= '' then
          redis.call('SET', snapshot, saved)
        end
      elseif present == '0' then
        redis.call('EXPIRE', outcomes, keep_seconds)
      end
    end
  end

  if answer[1] ~= 'conflict' then
    if why ~= '' and answer[1] == 'stored' then
      redis.call('XADD', dead, '*', 'why', why, 'entry', entry, 'fields', fields)
    end
    if entry ~= '' then
      done[#done + 1] = entry
    end
    if channel ~= '' then
      redis.call('PUBLISH', channel, answer_head .. outcome)
    end
  end
  answers[number + 1] = answer
end

if #done > 0 then
  redis.call('XACK', commands, group, unpack(done))
  redis.call('XDEL', commands, unpack(done))
end
return answers
