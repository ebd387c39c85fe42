-- Arguments: PATHS SHARE KINDS SEED. Requests random paths; a SHARE of the requests are creates, of KINDS 'one' or 'all'.
local reads = {}
local creates = {}
local share
local is_started = false
local names = { 'Rex', 'Luna', 'Milo', 'Bella', 'Sir Barks-a-Lot', 'Zoë', 'Coco', 'Mr. Whiskers' }
local statuses = { ',"status":"available"', ',"status":"pending"', ',"status":"sold"', '' }

function init(args)
  share = tonumber(args[2])
  math.randomseed(tonumber(args[4]))
  for path in io.lines(args[1]) do
    reads[#reads + 1] = wrk.format('GET', path)
  end
  wrk.headers['Content-Type'] = 'application/json'
  creates[1] = wrk.format('POST', '/v1/pets', nil, '{"name":"Rex","categoryId":7,"status":"available"}')
  if args[3] == 'one' then return end
  for number = 1, 1000 do creates[number] = wrk.format('POST', '/v1/pets', nil, pet()) end
end

-- Like the sample pets, so that creates spread over every index.
function pet()
  return string.format('{"name":"%s %d","categoryId":%d%s}',
    names[math.random(#names)], math.random(100000), math.random(50) - 1,
    statuses[math.random(#statuses)])
end

function request()
  if not is_started then
    is_started = true
    io.stderr:write('started\n')
  end
  if share > 0 and math.random() < share then return creates[math.random(#creates)] end
  return reads[math.random(#reads)]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '\n{"answers":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"bad":%d,"broken":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout
  ))
end
