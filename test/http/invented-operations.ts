import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamContent } from '../../src/contract/content.ts'
import { defineOperation, type Operation } from '../../src/contract/operation.ts'
import { int64 } from '../../src/contract/schemas.ts'
import { serviceTag } from '../../src/contract/tags.ts'
import * as Type from '../../src/contract/type.ts'
import { implement } from '../../src/http/implement.ts'

/** Counts how often sources were opened and closed, and what arrived of bodies. */
export function createRecord() {
  return { opened: 0, closed: 0, received: 0, bytesRead: 0, pulled: 0 }
}
type Recorded = ReturnType<typeof createRecord>

const Weather = Type.Object({ id: Type.Integer(), sky: Type.String() })
const rain = { id: 1, sky: 'rain' }
const sky = Type.Optional(Type.String({ allowed: 'a sky' }))
const after = Type.Optional(int64({ minimum: 0 }))
const plain = {
  tag: serviceTag,
  summary: 'Weather',
  description: 'The weather.',
  lifecycle: {},
  item: Weather,
  errors: [],
  examples: { name: 'rain', summary: 'Rain', response: rain },
} as const
const read = { ...plain, method: 'GET', scope: 'pets:read' } as const
const uploaded = { ...plain, method: 'PUT', scope: 'pets:write', returns: 'value' } as const

type Stream = Pick<Operation, 'mediaTypes' | 'isEndless'> & {
  path: string
  source: StreamContent
}

export const fileBytes = Buffer.from('0123456789')
export const bodyMaxBytes = 100_000

const longMs = 3_600_000
export const floodChunk = Buffer.alloc(65_536, 'a')

/** An operation for each kind of result, and for each kind of body. */
export function inventedOperations(recorded: Recorded) {
  async function* drops(signal: AbortSignal) {
    recorded.opened += 1
    try {
      yield Buffer.from('drip\n')
      await sleep(longMs, undefined, { signal })
    } finally {
      recorded.closed += 1
    }
  }

  const endless = { isEndless: true } as const
  const streams: Record<string, Stream> = {
    exportWeather: {
      path: '/weather.csv',
      mediaTypes: ['text/csv; charset=utf-8'],
      async *source() {
        recorded.opened += 1
        yield 'id,sky\n'
        yield Buffer.from('1,rain\n')
      },
    },
    watchWeather: {
      ...endless,
      path: '/weather.events',
      mediaTypes: ['text/event-stream'],
      source: drops,
    },
    downloadWeather: { path: '/weather.tail', mediaTypes: ['text/plain'], source: drops },
    watchDeafly: {
      ...endless,
      path: '/weather.deaf',
      async *source() {
        yield 'drip\n'
        await new Promise(() => undefined)
      },
    },
    watchFlood: {
      ...endless,
      path: '/weather.flood',
      async *source(signal) {
        while (!signal.aborted) {
          recorded.pulled += 1
          yield floodChunk
          await new Promise(setImmediate)
        }
      },
    },
  }

  return [
    ...Object.entries(streams).map(([operationId, { source, ...more }]) =>
      implement(
        defineOperation({ ...read, operationId, returns: 'stream', ...more }),
        async () => source,
      ),
    ),
    implement(
      defineOperation({
        ...read,
        operationId: 'listWeather',
        path: '/weather',
        returns: 'page',
        query: Type.Object({ sky }),
        list: Type.Array(Weather),
        alternative: {
          returns: 'stream',
          mediaTypes: ['text/event-stream'],
          isEndless: true,
          query: Type.Object({ sky, after }),
          headers: Type.Object({ 'Last-Event-ID': after }),
          examples: { name: 'follow', summary: 'Follow', headers: { 'Last-Event-ID': '7' } },
        },
      }),
      async () => ({ items: [rain], next: undefined, total: undefined }),
      async (_, { query, headers: { 'Last-Event-ID': last = query.after ?? 0n } }) =>
        async function* (signal) {
          recorded.opened += 1
          try {
            yield `id: ${last + 1n}\ndata: ${query.sky ?? 'rain'}\n\n`
            if (!signal.aborted) await once(signal, 'abort')
            yield 'retry: 100\n\n'
          } finally {
            recorded.closed += 1
          }
        },
    ),
    implement(
      defineOperation({
        ...read,
        operationId: 'getWeather',
        path: '/weather/{place}',
        pathParameters: [
          {
            name: 'place',
            type: 'text',
            record: 'weather',
            description: 'The place.',
            schema: Type.String({ pattern: '^[a-z]{1,9}$', allowed: '1 to 9 letters' }),
            example: 'leeds',
          },
        ],
        returns: 'record',
      }),
      async (_, place) => ({ id: 1, sky: `rain in ${place}` }),
    ),
    implement(
      defineOperation({
        ...plain,
        operationId: 'createWeather',
        method: 'POST',
        path: '/weather',
        scope: 'pets:write',
        body: Weather,
        returns: 'created',
      }),
      async (_, weather) => weather,
    ),
    implement(
      defineOperation({
        ...plain,
        operationId: 'stopWeather',
        method: 'DELETE',
        path: '/weather',
        scope: 'pets:write',
        returns: 'nothing',
      }),
      async () => undefined,
    ),
    implement(
      defineOperation({
        ...read,
        operationId: 'getSlowWeather',
        path: '/weather.slow',
        returns: 'record',
      }),
      async () => {
        await sleep(20)
        return rain
      },
    ),
    implement(
      defineOperation({
        ...plain,
        operationId: 'getSky',
        method: 'GET',
        path: '/sky',
        scope: 'public',
        returns: 'value',
      }),
      async () => rain,
    ),
    implement(
      defineOperation({
        ...read,
        operationId: 'getMap',
        path: '/map',
        returns: 'file',
        mediaTypes: ['image/png'],
      }),
      async () => ({
        mediaType: 'image/png',
        sizeBytes: fileBytes.length,
        tag: 'map1',
        async *read(start, end) {
          recorded.opened += 1
          recorded.bytesRead += end - start
          for (const byte of fileBytes.subarray(start, end)) yield Buffer.from([byte])
        },
      }),
    ),
    implement(
      defineOperation({
        ...read,
        operationId: 'getSlowMap',
        path: '/map.slow',
        isDownload: true,
        returns: 'file',
        mediaTypes: ['image/png'],
      }),
      async () => ({
        mediaType: 'image/png',
        sizeBytes: fileBytes.length,
        tag: 'map2',
        read: (_start, _end, signal) => drops(signal),
      }),
    ),
    implement(
      defineOperation({
        ...read,
        operationId: 'getLostMap',
        path: '/lost-map',
        query: Type.Object({ sent: Type.Optional(Type.Integer({ allowed: 'a count' })) }),
        returns: 'stream',
        mediaTypes: ['text/plain'],
      }),
      async (_, { sent = 0 }) =>
        async function* () {
          for (let left = sent; left > 0; left--) yield 'a'.repeat(100_000)
          throw new Error('The map is lost.')
        },
    ),
    implement(
      defineOperation({
        ...uploaded,
        operationId: 'importWeather',
        path: '/weather.csv',
        body: { mediaTypes: ['text/csv'], sizeMaxBytes: bodyMaxBytes },
      }),
      async (_, { mediaType = '', bytes }) => {
        recorded.received += bytes.length
        return { id: recorded.received, sky: mediaType }
      },
    ),
    implement(
      defineOperation({
        ...uploaded,
        operationId: 'replaceMap',
        path: '/map',
        body: { mediaTypes: ['image/png', 'image/jpeg'], sizeMaxBytes: 1_000 },
      }),
      async (_, { mediaType = '', bytes }) => ({ id: bytes.length, sky: mediaType }),
    ),
  ]
}
