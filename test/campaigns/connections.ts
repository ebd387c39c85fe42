/**
 * npm run test:connections -- [--root FOLDER]
 * What clients can do with connections alone: never read, send requests without waiting for responses, open more than are
 * served; and what a stop does to clients that keep theirs. Prints what it measures, of the source tree in FOLDER
 * where one is named. Linux only.
 */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { keepAsking } from '../harness/stop-clients.ts'
import { until } from '../harness/until.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { memoryMiB } from '../processes/processor-time.ts'

const { values } = parseArgs({
  options: { root: { type: 'string' }, only: { type: 'string' } },
})

const measurements: Record<string, (service: Service) => Promise<void>> = {
  'same page': (service) => neverRead(service, 1_200, () => '/v1/pets?limit=100'),
  'own pages': (service) =>
    neverRead(service, 1_200, (index) => `/v1/pets?limit=100&categoryId=${index % 100}`),
  pipelining: sendWithoutWaiting,
  flood: openTooMany,
  idle: holdAllPlaces,
}

for (const [name, measure] of Object.entries(measurements)) {
  if ((values.only ?? name) === name) await withService(measure)
}
if ((values.only ?? 'stops') === 'stops') await countResets()
process.exit(0)

async function withService(use: (service: Service) => Promise<void>) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-connections-'))
  try {
    const env = { ...settingsFor(directory), PETSTORE_DRAIN_MS: '500', PETSTORE_LOG_LEVEL: 'error' }
    await using service = await startService({ env, ...(values.root ? { root: values.root } : {}) })
    await use(service)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Pages of 400 KB: in each of these categories a hundred names of a thousand characters of four bytes. */
async function fillWithLargePages({ baseUrl, key }: Service, categories: number) {
  const name = '🐈'.repeat(1_000)
  for (let categoryId = 0; categoryId < categories; categoryId++) {
    const creates = Array.from({ length: 100 }, () =>
      fetch(`${baseUrl}/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, categoryId }),
      }).then((answer) => answer.text()),
    )
    await Promise.all(creates)
  }
}

async function neverRead(service: Service, count: number, pathOf: (index: number) => string) {
  await fillWithLargePages(service, 100)
  const before = await settledMiB(service)
  const sockets = await openSockets(service, count)
  for (const [index, socket] of sockets.entries()) socket.write(get(service, pathOf(index)))
  let peak = 0
  const held: string[] = []
  for (let second = 1; second <= 50; second++) {
    await sleep(1_000)
    peak = Math.max(peak, memoryMiB(service.pid))
    if ([2, 30, 35, 50].includes(second)) held.push(`${heldBy(service)} after ${second} s`)
  }
  console.log(`${count} connections ask for ${pathOf(1)} and never read: held ${held.join(', ')}`)
  console.log(
    `  memory ${before} MiB, at most ${Math.round(peak)}, ${await settledMiB(service)} at the end`,
  )
  for (const socket of sockets) socket.destroy()
}

async function sendWithoutWaiting(service: Service) {
  const body = '{"name":"Rex","categoryId":7}'
  const one = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  const before = await settledMiB(service)
  const sockets = await openSockets(service, 60)
  const watch = watchHealth(service)
  const startMs = performance.now()
  const counts = await Promise.all(sockets.map((socket) => countCreated(socket, one, 600)))
  const tookMs = Math.round(performance.now() - startMs)
  const { slowestMs, peakMiB } = await watch.stop()
  console.log(
    `36000 creates on 60 connections, sent at once: ${counts.reduce((sum, count) => sum + count)} created in ${tookMs} ms`,
  )
  console.log(`  /health/live ${slowestMs} ms at most; memory ${before} MiB, at most ${peakMiB}`)
  for (const socket of sockets) socket.destroy()
}

/**
 * Sends a request this many times at once; resolves with how many created something, once all have a response or the
 * connection is closed.
 */
function countCreated(socket: Socket, one: string, times: number): Promise<number> {
  return new Promise((resolve) => {
    const statusLine = /HTTP\/1\.1 (\d{3})/g
    let answers = 0
    let created = 0
    let rest = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      const all = rest + text
      for (const [, status] of all.matchAll(statusLine)) {
        answers += 1
        if (status === '201') created += 1
      }
      rest = all.slice(-11)
      if (answers === times) resolve(created)
    })
    socket.on('close', () => resolve(created))
    socket.write(one.repeat(times))
  })
}

/** Twice as many connections as are served, and new ones all the time. */
async function openTooMany(service: Service) {
  const before = await settledMiB(service)
  const sockets = await openSockets(service, 2_000)
  const watch = watchHealth(service)
  let isOver = false
  const floods = Array.from({ length: 50 }, async () => {
    while (!isOver) {
      const [socket] = await openSockets(service, 1)
      await sleep(20)
      socket?.destroy()
    }
  })
  await sleep(5_000)
  const status = await fetch(`${service.baseUrl}/pets`).then((answer) => answer.status, String)
  isOver = true
  await Promise.all(floods)
  const { slowestMs, failed, count, peakMiB } = await watch.stop()
  console.log(
    `2000 connections and 50 clients that open more: held ${heldBy(service)}, a request gets ${status}`,
  )
  console.log(
    `  /health/live ${slowestMs} ms at most, ${failed} of ${count} failed; memory ${before} MiB, at most ${peakMiB}`,
  )
  for (const socket of sockets) socket.destroy()
}

/** Idle connections without a key at the maximum, opened again when they are closed; new clients want to be served meanwhile. */
async function holdAllPlaces(service: Service) {
  const before = await settledMiB(service)
  const live = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'
  let isOver = false
  let opened = 0
  const holders = Array.from({ length: 1_000 }, async () => {
    while (!isOver) {
      const [socket] = await openSockets(service, 1)
      opened += 1
      socket?.resume().write(live)
      if (socket && !socket.closed) await once(socket, 'close')
    }
  })
  await until(() => opened >= 1_000)
  const tookMs: number[] = []
  const statuses: Record<string, number> = {}
  const url = `${service.baseUrl}/pets`
  for (let client = 0; client < 200; client++) {
    const startMs = performance.now()
    const status = await askOnce(url, { authorization: `Bearer ${service.key}` })
    statuses[status] = (statuses[status] ?? 0) + 1
    tookMs.push(performance.now() - startMs)
  }
  const peakMiB = Math.round(memoryMiB(service.pid))
  isOver = true
  const [slowestMs = 0] = tookMs.sort((a, b) => b - a)
  console.log(
    `1000 idle connections without a key, opened again when closed: 200 new clients got ${JSON.stringify(statuses)}`,
  )
  console.log(
    `  ${Math.round(slowestMs)} ms at most, median ${Math.round(tookMs[100] ?? 0)}; memory ${before} MiB, ${peakMiB} then; ${opened} connections opened`,
  )
  await service.stop()
  await Promise.all(holders)
}

async function countResets() {
  for (const pauseMaxMs of [0, 200]) {
    const sum: Record<string, number> = {}
    const tookMs: number[] = []
    for (let round = 0; round < 5; round++) {
      await withService(async (service) => {
        const clients = keepAsking(service, { count: 64, pauseMaxMs, reconnects: true })
        await clients.running
        const startMs = performance.now()
        await service.stop()
        tookMs.push(Math.round(performance.now() - startMs))
        await clients.stopped
        for (const [name, count] of Object.entries(clients.outcomes))
          sum[name] = (sum[name] ?? 0) + count
      })
    }
    console.log(
      `5 stops, 64 clients that pause up to ${pauseMaxMs} ms: ${JSON.stringify(sum)}; took ${tookMs} ms`,
    )
  }
}

function get({ key }: Service, path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
}

async function openSockets({ baseUrl }: Service, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(baseUrl)
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: Math.min(100, count - sockets.length) }, async () => {
      const socket = connect({ port: Number(port), host: hostname })
      socket.on('error', () => undefined)
      const { promise, resolve } = Promise.withResolvers<void>()
      socket.once('connect', resolve).once('close', () => resolve())
      await promise
      return socket
    })
    sockets.push(...(await Promise.all(some)))
  }
  return sockets
}

/** The number of open sockets of a process, except its listener. */
function heldBy({ pid }: Service): number {
  const folder = `/proc/${pid}/fd`
  const targets = readdirSync(folder).map((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`)
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.startsWith('socket:')).length - 1
}

async function settledMiB({ pid }: Service): Promise<number> {
  await sleep(2_000)
  return Math.round(memoryMiB(pid))
}

function watchHealth(service: Service) {
  let slowest = 0
  let peak = 0
  let failed = 0
  let count = 0
  let isOver = false
  const url = `${service.baseUrl.replace('/v1', '')}/health/live`
  const watching = (async () => {
    while (!isOver) {
      const startMs = performance.now()
      const status = await askOnce(url)
      count += 1
      if (status === 200) slowest = Math.max(slowest, performance.now() - startMs)
      else failed += 1
      peak = Math.max(peak, memoryMiB(service.pid))
      await sleep(20)
    }
  })()
  return {
    async stop() {
      isOver = true
      await watching
      return { slowestMs: Math.round(slowest), peakMiB: Math.round(peak), failed, count }
    },
  }
}

function askOnce(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(url, { agent: false, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    sent.once('error', () => resolve(0)).end()
  })
}
