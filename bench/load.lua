-- The script that wrk runs. A file before this one sets `requests`, a list of { method, path, headers, body } that are sent in
-- turn, and `tokens`, the first refresh tokens or an empty list. "{n}" becomes a number that this run of wrk has not used, and
-- "{token}" a living refresh token, which the answer replaces.
-- wrk calls request() once before it sends anything: that call takes the last request, so that sending starts with the first.
local index, number = -1, firstNumber
local first, last = 1, #tokens -- range of the tokens that are waiting
local ready = {}

function init()
  for position, one in ipairs(requests) do
    local text = one.path .. (one.body or '')
    if not text:find('{n}', 1, true) and not text:find('{token}', 1, true) then
      ready[position] = wrk.format(one.method, one.path, one.headers, one.body)
    end
  end
end

local function fill(text)
  if text:find('{token}', 1, true) then
    local token = tokens[first]
    tokens[first] = nil
    first = first + 1
    return (text:gsub('{token}', token or 'none'))
  end
  return (text:gsub('{n}', tostring(number)))
end

function request()
  index = index % #requests + 1
  if ready[index] then return ready[index] end
  local one = requests[index]
  number = number + 1
  return wrk.format(one.method, fill(one.path), one.headers, one.body and fill(one.body))
end

-- Defined only for refreshes: with this function wrk parses every answer, which costs it more than the request.
if last > 0 then
  function response(_, _, body)
    local token = body:match('"refresh_token":"([^"]+)"')
    if token then
      last = last + 1
      tokens[last] = token
    end
  end
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\nresult {"requests":%d,"micros":%d,"p50":%d,"p99":%d,"refused":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), errors.status,
    errors.connect + errors.read + errors.write + errors.timeout))
end
