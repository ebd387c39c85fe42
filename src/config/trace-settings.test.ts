import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadConfig } from './config.ts'

const endpoint = 'http://collector.example:4318'
const base = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }

/** The traces of such an environment, and the warnings. */
function load(environment: Record<string, string>) {
  const { config, warnings } = loadConfig({}, environment)
  return { traces: config.traces, warnings }
}

it('traces are sent where an endpoint says so, with the defaults of OpenTelemetry', () => {
  const sampler = { isParentBased: true, ratio: 1 }

  assert.deepEqual(load(base), {
    traces: { endpoint: `${endpoint}/v1/traces`, headers: {}, resource: {}, sampler },
    warnings: [],
  })
  for (const off of [
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { ...base, OTEL_SDK_DISABLED: 'TRUE', OTEL_ANY: 'any' },
    { ...base, OTEL_TRACES_EXPORTER: 'none' },
  ]) {
    assert.deepEqual(load(off), { traces: undefined, warnings: [] })
  }
})

it('variables for traces win over those of all signals', () => {
  const { traces, warnings } = load({
    ...base,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: ' b = 2%2C3 , c=d=e',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
  })

  assert.equal(traces?.endpoint, 'https://traces.example/otlp/')
  assert.deepEqual([traces?.headers, warnings], [{ b: '2,3', c: 'd=e' }, []])
})

for (const [name, value, expected] of [
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:hush', /an http or https address/],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://me:hush@a.example', /without a password/],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hush%0d%0ab:c', /name=value,name=value/],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /http\/json, which is what is sent/],
  ['OTEL_TRACES_SAMPLER', 'hush', /always_on, .* and parentbased_traceidratio/],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1', /a number from 0 to 1/],
] as const) {
  it(`${name} that is "${value}" is warned of without its value`, () => {
    const { traces, warnings } = load({ ...base, [name]: value })

    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', expected)
    assert.ok(warnings[0]?.startsWith(`${name} is ignored: it must be `))
    assert.doesNotMatch(warnings[0] ?? '', /hush/)
    const isEndpoint = name.endsWith('ENDPOINT')
    assert.equal(traces === undefined, isEndpoint)
  })
}

it('variables of OpenTelemetry without effect are named in one warning', () => {
  const { traces, warnings } = load({
    ...base,
    OTEL_PROPAGATORS: 'b3',
    OTEL_BSP_MAX_QUEUE_SIZE: '9',
  })

  assert.ok(traces)
  assert.deepEqual(warnings, [
    'Without effect: OTEL_BSP_MAX_QUEUE_SIZE and OTEL_PROPAGATORS; see docs/operations/logs.md.',
  ])
})
