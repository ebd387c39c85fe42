-- Arguments: PATHS SHARE WRITES SEED. Requests random paths; a SHARE of the requests are WRITES: creates of 'one pet', of 'all
-- kinds', 'keyed', or a file with a request per line, each sent once.
-- Prints a line when it starts, and one when each line of the file is answered.
local reads = {}
local writes = {}
local share
local next_write
local is_started = false
local worker
local names = { 'Rex', 'Luna', 'Milo', 'Bella', 'Sir Barks-a-Lot', 'Zoë', 'Coco', 'Mr. Whiskers' }
local statuses = { ',"status":"available"', ',"status":"pending"', ',"status":"sold"', '' }
local rex = '{"name":"Rex","categoryId":7,"status":"available"}'

function setup(thread)
  worker = thread
end

function init(args)
  share = tonumber(args[2])
  math.randomseed(tonumber(args[4]))
  for path in io.lines(args[1]) do
    reads[#reads + 1] = wrk.format('GET', path)
  end
  wrk.headers['Content-Type'] = 'application/json'
  next_write = random_write
  if args[3] == 'one pet' then
    writes[1] = wrk.format('POST', '/v1/pets', nil, rex)
  elseif args[3] == 'all kinds' then
    for number = 1, 1000 do writes[number] = wrk.format('POST', '/v1/pets', nil, pet()) end
  elseif args[3] == 'keyed' then
    send_keyed(args[4])
  else
    send_each(args[3])
  end
end

-- Like the sample pets, so that creates spread over every index.
function pet()
  return string.format('{"name":"%s %d","categoryId":%d%s}',
    names[math.random(#names)], math.random(100000), math.random(50) - 1,
    statuses[math.random(#statuses)])
end

function random_write()
  return writes[math.random(#writes)]
end

-- A new key for each create: the seed is another one in each window.
function send_keyed(seed)
  local headers = { ['Content-Type'] = 'application/json', ['Idempotency-Key'] = '<key>' }
  for name, value in pairs(wrk.headers) do headers[name] = value end
  local head, tail = wrk.format('POST', '/v1/pets', headers, rex):match('^(.*)<key>(.*)$')
  local sent = 0
  next_write = function()
    sent = sent + 1
    return head .. 'bench-' .. seed .. '-' .. sent .. tail
  end
  response = require_success
end

function send_each(path)
  for line in io.lines(path) do
    local method, target, body = line:match('^(%u+) (%S+) ?(.*)$')
    writes[#writes + 1] = wrk.format(method, target, nil, body)
  end
  local sent = 0
  local answered = 0
  -- After the last line a connection sends nothing more.
  next_write = function()
    sent = sent + 1
    return writes[sent] or ''
  end
  response = function(status)
    require_success(status)
    answered = answered + 1
    if answered == #writes then io.stderr:write('ended\n') end
  end
end

-- wrk itself takes any status below 400 for a success.
function require_success(status)
  if status ~= 201 and status ~= 204 then
    others = (others or 0) + 1
  end
end

function request()
  if not is_started then
    -- wrk itself calls this once before it connects, and sends nothing.
    is_started = true
    io.stderr:write('started\n')
    return wrk.format('GET', '/')
  end
  if share > 0 and math.random() < share then return next_write() end
  return reads[math.random(#reads)]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"answers":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"bad":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    math.max(errors.status, worker:get('others') or 0),
    errors.connect + errors.read + errors.write + errors.timeout
  ))
end
