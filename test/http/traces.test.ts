import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'
import type { Observation } from '../../src/http/observe.ts'
import { createTraces } from '../../src/telemetry/traces/traces.ts'
import { aCollector, type Span } from '../harness/collector.ts'
import { isOnPostgres } from '../harness/engine.ts'
import { aDirectory, freePort } from '../processes/command.ts'
import { startListening } from './start-listening.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentSpanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentSpanId}-01`
const isServer = ({ kind }: Span) => kind === 2

it('a request is a span with its phases below it, and is linked with the batch that stored its write', async (t) => {
  const collector = await aCollector(t)
  const app = await startTraced(t, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20c2VjcmV0',
    OTEL_SERVICE_NAME: 'shop',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,team=pets%20%26%20co',
    ...(isOnPostgres ? {} : { PETSTORE_DATABASE: `sqlite:${join(aDirectory(t), 'pets.db')}` }),
  })
  const beforeNs = BigInt(Date.now() - 1_000) * 1_000_000n

  await Promise.all(Array.from({ length: 4 }, () => app.api.createPet()))
  await app.stopTraces()
  const afterNs = BigInt(Date.now() + 1_000) * 1_000_000n

  const [{ target, headers } = assert.fail()] = collector.received
  assert.deepEqual([target, headers.authorization], ['POST /v1/traces', 'Basic c2VjcmV0'])
  const { team, ...resource } = collector.resource()
  assert.deepEqual([team, resource['service.name']], ['pets & co', 'shop'])
  assert.equal(resource['deployment.environment.name'], 'staging')
  const spans = collector.spans()
  assert.equal(new Set(spans.map(({ spanId }) => spanId)).size, spans.length)
  const [requests, batches] = [spans.filter(isServer), spans.filter(({ name }) => name === 'batch')]
  assert.equal(requests.length, 4)
  assert.equal(new Set(requests.map((request) => request.traceId)).size, 4)
  for (const request of requests) {
    const { name, attributes, startNs, endNs, status } = request
    assert.deepEqual([name, status], ['POST /v1/pets', 0])
    const { 'petstore.request_id': requestId, ...others } = attributes
    assert.ok(requestId)
    assert.deepEqual(others, {
      'http.request.method': 'POST',
      'url.scheme': 'http',
      'url.path': '/v1/pets',
      'http.route': '/v1/pets',
      'http.response.status_code': '201',
      'petstore.operation': 'createPet',
      'petstore.key_id': '1',
    })
    assert.ok(startNs > beforeNs && endNs < afterNs)
    const phases = spans.filter((span) => span.parentSpanId === request.spanId)
    const names = phases.map((phase) => phase.name)
    assert.deepEqual(names, ['receive', 'wait for batch', 'database', 'commit', 'send'])
    let atNs = startNs
    for (const phase of phases) {
      assert.equal(phase.traceId, request.traceId)
      // Rounded to microseconds.
      assert.ok(phase.startNs >= atNs - 2_000n && phase.endNs <= endNs + 2_000n, phase.name)
      atNs = phase.endNs
    }
    const [link, ...noOthers] = request.links
    const batch = batches.find(({ spanId }) => spanId === link?.spanId)
    assert.ok(batch && batch.traceId === link?.traceId)
    assert.deepEqual(noOthers, [])
    const { spanId } = request
    assert.ok(
      batch.links.some((back) => back.spanId === spanId && back.traceId === request.traceId),
    )
  }
  const inputs = batches.map((batch) => Number(batch.attributes['petstore.batch.inputs']))
  const linked = batches.map(({ links }) => links.length)
  assert.deepEqual(linked, inputs)
  assert.equal(
    inputs.reduce((sum, count) => sum + count, 0),
    4,
  )
})

it('a valid traceparent is taken over, any other begins a trace; the log has the ids', async (t) => {
  const collector = await aCollector(t)
  const app = await startTraced(t, { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.origin}/` })
  const get = (sent: string | string[]) =>
    app.api.get('/v1/pets/7', { headers: { traceparent: sent } })

  await get(traceparent)
  for (const end of ['', '-', '-more,00-x']) await get(`cc${traceparent.slice(2)}${end}`)
  for (const wrong of [
    traceparent.toUpperCase(),
    `${traceparent}-00`,
    `ff${traceparent.slice(2)}`,
    `01${traceparent.slice(2)}x`,
    `00-${'0'.repeat(32)}-${parentSpanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    ` 00-${traceId}-${parentSpanId}-0g`,
    [traceparent, traceparent],
  ]) {
    await get(wrong)
  }
  await app.stopTraces()

  const spans = collector.spans().filter(isServer)
  assert.equal(spans.length, 12)
  for (const own of spans.slice(0, 4))
    assert.deepEqual([own.traceId, own.parentSpanId], [traceId, parentSpanId])
  for (const other of spans.slice(4)) {
    assert.notEqual(other.traceId, traceId)
    assert.equal(other.parentSpanId, undefined)
  }
  const lines = app.logLines.map((line) => JSON.parse(line)).filter((line) => line.status)
  assert.deepEqual(
    lines.map((line) => [line.traceId, line.spanId]),
    spans.map((span) => [span.traceId, span.spanId]),
  )
})

it('spans show no key, no query, no header and no text of a client; failures are marked', async (t) => {
  const collector = await aCollector(t)
  const app = await startTraced(t, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.origin}/own/path`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-secret=hush',
  })
  const headers = { 'user-agent': 'agent-text', 'x-odd': 'odd-text' }

  await app.api.get('/v1/pets?name=query-text&odd=query-text', { headers })
  await app.api.get(`/v1/${app.key}/${encodeURIComponent('Path Text')}`, { headers })
  await app.api.post('/v1/pets', { name: 7, odd: 'body-text' })
  await app.api.get('/v1/health/live')
  app.failDb(new Error('cause-text'))
  await app.api.get('/v1/pets/1')
  await app.stopTraces()

  assert.equal(collector.received[0]?.target, 'POST /own/path')
  const sent = collector.received.map(({ text }) => text).join()
  const theirs = [app.key, app.key.slice(9, 30), 'query', '-text', 'Path', 'odd', 'hush', '?']
  assert.deepEqual(
    theirs.filter((text) => sent.includes(text)),
    [],
  )
  const requests = collector.spans().filter(isServer)
  assert.deepEqual(
    requests.map(({ name, attributes, status }) => [
      ...[name, attributes['http.response.status_code'], attributes['error.type'], status],
    ]),
    [
      ['GET /v1/pets', '200', undefined, 0],
      ['GET', '404', 'not_found', 0],
      ['POST /v1/pets', '400', 'invalid_body', 0],
      ['GET /v1/pets/{petId}', '500', 'internal_error', 2],
    ],
  )
})

for (const [sampler, ratio, expected] of [
  ['parentbased_always_on', '', { none: true, sampled: true, unsampled: false }],
  ['parentbased_always_off', '', { none: false, sampled: true, unsampled: false }],
  ['parentbased_traceidratio', '0', { none: false, sampled: true, unsampled: false }],
  ['always_on', '', { none: true, sampled: true, unsampled: true }],
  ['always_off', '', { none: false, sampled: false, unsampled: false }],
  // The decision is that of the ids' lower half: 0x8448… of 2^64 is 0.5167.
  ['traceidratio', '0.51', { none: 'some', sampled: false, unsampled: false }],
  ['traceidratio', '0.52', { none: 'some', sampled: true, unsampled: true }],
] as const) {
  it(`OTEL_TRACES_SAMPLER ${sampler}, argument "${ratio}": decides which traces are sent`, async (t) => {
    const collector = await aCollector(t)
    const { observer } = await startTraced(t, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: ratio,
    })
    const decide = (sent?: string) => {
      const observed = { request: { headers: { traceparent: sent } } } as unknown as Observation
      observer.started?.(observed)
      return observed.trace?.isSampled
    }

    const own = new Set(Array.from({ length: 200 }, () => decide()))

    const decided = {
      none: own.size === 2 ? 'some' : [...own][0],
      sampled: decide(traceparent),
      unsampled: decide(traceparent.replace(/1$/, '0')),
    }
    assert.deepEqual(decided, expected)
  })
}

for (const [what, respond, reason] of [
  ['is not there', undefined, 'ECONNREFUSED'],
  ['responds with 500', [500, 'no'], 'the response has status 500'],
  ['responds without end', [200, 'endless'], 'the response is not that of a collector'],
  ['rejects spans', [200, '{"partialSuccess":{"rejectedSpans":"2"}}'], '2 spans were rejected'],
] as const) {
  it(`a collector that ${what} costs one line, and no request`, async (t) => {
    const collector = await aCollector(t, (response) => {
      const [status, text] = respond ?? assert.fail()
      response.writeHead(status, { 'content-type': 'application/json' })
      if (text !== 'endless') return void response.end(text)
      const write = () => void response.write('x'.repeat(60_000), (error) => error ?? write())
      write()
    })
    const origin = respond ? collector.origin : `http://127.0.0.1:${await freePort()}`
    const app = await startTraced(t, { OTEL_EXPORTER_OTLP_ENDPOINT: origin })

    await app.api.createPet()
    await app.stopTraces()

    assert.equal(app.warnings.length, 1)
    assert.ok(app.warnings[0]?.startsWith(`Traces cannot be sent to ${origin}: ${reason}.`))
  })
}

/** A service for one test on its own port, whose traces go where these settings say. */
async function startTraced(t: TestContext, settings: Record<string, string>) {
  const { config } = loadConfig({}, { PETSTORE_ENVIRONMENT: 'staging', ...settings })
  if (!config.traces) throw new Error('These settings have no collector.')
  const traces = createTraces(config, config.traces)
  const app = await startListening(
    { PETSTORE_ACCESS_LOG: 'on', ...settings },
    { observers: [traces.observer] },
  )
  const warnings: string[] = []
  traces.start((sentence) => warnings.push(sentence))
  t.after(traces.stop)
  return { ...app, observer: traces.observer, warnings, stopTraces: traces.stop }
}
