import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aCollector } from '../../../test/harness/collector.ts'
import { until } from '../../../test/harness/until.ts'
import { createExporter } from './exporter.ts'

it('a collector that hangs costs a bounded queue; a stop does not wait for it', async (t) => {
  const collector = await aCollector(t, () => undefined)
  const encoded: number[] = []
  const exporter = createExporter<number>({
    endpoint: collector.origin,
    headers: {},
    encode: (spans) => String(encoded.push(...spans)),
    intervalMs: 20,
    warn: assert.fail,
  })

  for (let i = 0; i < 20_000; i++) exporter.add([i])
  await until(() => collector.received.length === 1)
  const startMs = performance.now()
  await exporter.stop()

  assert.equal(encoded.length, 512)
  assert.ok(performance.now() - startMs < 40_000)
})

it('spans that a collector could not take now are sent again; in order, none twice', async (t) => {
  const statuses = [503, 503]
  const collector = await aCollector(t, (response) =>
    response.writeHead(statuses.shift() ?? 200).end(),
  )
  const warnings: string[] = []
  const exporter = createExporter<number>({
    endpoint: collector.origin,
    headers: {},
    encode: (spans) => JSON.stringify(spans),
    intervalMs: 20,
    warn: (sentence) => warnings.push(sentence),
  })

  for (let i = 0; i < 10_000; i++) exporter.add([i])
  await until(() => collector.received.length >= 19)
  await exporter.stop()

  const [first, second, ...taken] = collector.received.map(
    ({ text }) => JSON.parse(text) as number[],
  )
  assert.deepEqual([first, second], [taken[0], taken[0]])
  const sent = taken.flat()
  // The first request was taken out of the queue before it was full.
  assert.equal(sent.length, 8_192 + 512)
  assert.deepEqual(sent, Array.from(sent.keys()))
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /status 503\. 1296 spans were dropped so far\./)
})
