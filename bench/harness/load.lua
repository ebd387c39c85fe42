-- wrk … -- PATHS SHARE SEED: any of the paths at random, and of all requests SHARE creates.
local reads = {}
local create
local share
local is_started = false

function init(args)
  share = tonumber(args[2])
  math.randomseed(tonumber(args[3]))
  for path in io.lines(args[1]) do
    reads[#reads + 1] = wrk.format('GET', path)
  end
  wrk.headers['Content-Type'] = 'application/json'
  create = wrk.format('POST', '/v1/pets', nil, '{"name":"Rex","categoryId":7,"status":"available"}')
end

function request()
  if not is_started then
    is_started = true
    io.stderr:write('started\n')
  end
  if share > 0 and math.random() < share then return create end
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
