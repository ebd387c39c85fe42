import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { aReceiver } from './receiver.ts'

type Id = { traceId: string; spanId: string }
export type Span = Id & {
  parentSpanId?: string
  name: string
  kind: number
  startNs: bigint
  endNs: bigint
  attributes: Record<string, string>
  links: Id[]
  status: number
}

type Json = Record<string, unknown>

/** A collector of OTLP over HTTP on this machine. It responds as one, unless the test says otherwise. */
export async function aCollector(
  t: Pick<TestContext, 'after'>,
  respond: (response: ServerResponse) => void = (response) => response.end('{}'),
) {
  const { origin, received } = await aReceiver(t, (_received, response) => {
    respond(response)
    return 'never'
  })
  return {
    origin,
    received,
    /** The attributes of the process in the first request. */
    resource: () => read(received[0]?.text ?? '').resource,
    spans: () => received.flatMap(({ text }) => read(text).spans),
  }
}

/** Reads a request of OTLP in JSON strictly: fails on anything that its specification does not have. */
function read(body: string): { resource: Record<string, string>; spans: Span[] } {
  const { resourceSpans, ...noOthers } = JSON.parse(body)
  assert.deepEqual([noOthers, resourceSpans.length], [{}, 1])
  const [{ resource, scopeSpans }] = resourceSpans
  assert.deepEqual(Object.keys(resourceSpans[0]).sort(), ['resource', 'scopeSpans'])
  assert.deepEqual(Object.keys(resource), ['attributes'])
  const spans = scopeSpans.flatMap(({ scope, spans: own, ...rest }: Record<string, Json[]>) => {
    assert.deepEqual([Object.keys(scope ?? {}), rest], [['name', 'version'], {}])
    return own?.map(readSpan)
  })
  return { resource: readAttributes(resource.attributes), spans }
}

function readSpan(span: Json): Span {
  const { parentSpanId, name, kind, attributes = [], links = [], status = {}, ...rest } = span
  const { traceId, spanId, startTimeUnixNano, endTimeUnixNano, ...noOthers } = rest
  assert.deepEqual(noOthers, {})
  assert.ok(typeof name === 'string' && name !== '')
  assert.ok(kind === 1 || kind === 2, `${kind}`)
  const id = readId({ traceId, spanId })
  if (parentSpanId !== undefined) readId({ traceId, spanId: parentSpanId })
  const [startNs, endNs] = [startTimeUnixNano, endTimeUnixNano].map((time) => {
    assert.ok(typeof time === 'string' && /^[1-9]\d{18}$/.test(time), `${time}`)
    return BigInt(time)
  }) as [bigint, bigint]
  assert.ok(startNs <= endNs, `${name} ends before its start`)
  const { code = 0, ...noMessage } = status as { code?: number }
  assert.deepEqual(noMessage, {})
  return {
    ...id,
    ...(parentSpanId === undefined ? {} : { parentSpanId: parentSpanId as string }),
    ...{ name, kind, startNs, endNs, status: code },
    attributes: readAttributes(attributes as Json[]),
    links: (links as Json[]).map(readId),
  }
}

function readId({ traceId, spanId, ...noOthers }: Json): Id {
  assert.deepEqual(noOthers, {})
  assert.match(String(traceId), /^(?!0{32})[\da-f]{32}$/)
  assert.match(String(spanId), /^(?!0{16})[\da-f]{16}$/)
  return { traceId: traceId as string, spanId: spanId as string }
}

function readAttributes(attributes: Json[]): Record<string, string> {
  const read = attributes.map(({ key, value, ...noOthers }) => {
    assert.deepEqual(noOthers, {})
    const [[kind, text] = [], ...others] = Object.entries(value as Json)
    assert.ok(kind === 'stringValue' || kind === 'intValue', `${kind}`)
    assert.ok(typeof text === 'string' && others.length === 0)
    if (kind === 'intValue') assert.match(text, /^-?\d+$/)
    return [key as string, text] as const
  })
  assert.equal(new Set(read.map(([key]) => key)).size, read.length)
  return Object.fromEntries(read)
}
