-- Puts some keys of one partition in place of what was there, as one act, if all is still as it was read.
--
-- KEYS  every key that is named below
-- ARGV  1 texts, one after another, each with its length before it: number of checks, then for each what
--         is to be found ('' for nothing), number of words, and the words of the request that finds it;
--         number of requests, then for each the number of its words and its words
--
-- Answers 0 if all was done, or the number of the first check that failed; then nothing was done.

local texts, at = ARGV[1], 1

local function take()
  local text
  text, at = struct.unpack('>I4c0', texts, at)
  return text
end

local function request()
  local words = {}
  for place = 1, tonumber(take()) do
    words[place] = take()
  end
  return words
end

for number = 1, tonumber(take()) do
  local wanted = take()
  local found = redis.call(unpack(request()))
  if type(found) == 'number' then
    found = string.format('%d', found)
  end
  if (found or '') ~= wanted then
    return number
  end
end

for _ = 1, tonumber(take()) do
  redis.call(unpack(request()))
end
return 0
