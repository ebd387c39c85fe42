/**
 * npm run test:access-log -- [--root FOLDER] [--rounds N]
 * What the lines of requests cost: processor time of a request by workload with PETSTORE_ACCESS_LOG=on, into a pipe and into
 * a file, as a ratio to `off`. Interleaved. With --root, FOLDER's source tree takes part as it is by default. Needs wrk; Linux only.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { LoadFailed, runWrk } from '../../bench/harness/wrk.ts'
import { createAccessLog } from '../../src/telemetry/access-log.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createLogQueue } from '../../src/telemetry/log-queue.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { processorMs } from '../processes/processor-time.ts'

const { values } = parseArgs({
  options: { root: { type: 'string' }, rounds: { type: 'string', default: '9' } },
})
const windowMs = 1_000
const pets = 5_000

const linesPerRound = 100_000

type Side = { name: string; service: Service }

const directory = mkdtempSync(join(tmpdir(), 'petstore-access-log-'))
const sides: Side[] = []
await measureLine('one pet', (index) => `/v1/pets/${index}`)
await measureLine('random pages', (index) => `/v1/pets?limit=20&cursor=eyJ2IjoxLCJ${index}`)
await measureLine('search', (index) => `/v1/pets?name=rex${index}&limit=5`)
try {
  const toPipe = '2> >(exec cat > /dev/null)'
  await add('off', 'off', toPipe)
  await add('off again', 'off', toPipe)
  await add('on, pipe', 'on', toPipe)
  await add('on, file', 'on', `2> ${join(directory, 'log')}`)
  if (values.root !== undefined) await add('before', undefined, toPipe, values.root)
  const pages = await pagePaths(sides[0] as Side)
  await measure('same page', ['/v1/pets?limit=20'])
  await measure('random pages', pages)
  await measure(
    'one pet',
    Array.from({ length: 5_000 }, (_, index) => `/v1/pets/${index + 1}`),
  )
  await measure('creates', [''], 1)
} finally {
  for (const { service } of sides) await service.kill()
  rmSync(directory, { recursive: true, force: true })
}
process.exit(0)

/** Starts a service on a store of its own. Standard error is its log. */
async function add(name: string, accessLog: string | undefined, output: string, root?: string) {
  const own = mkdtempSync(join(directory, 'store-'))
  const service = await startService({
    env: {
      ...settingsFor(own),
      PETSTORE_ENVIRONMENT: 'staging',
      ...(accessLog === undefined ? {} : { PETSTORE_ACCESS_LOG: accessLog }),
    },
    wrapper: ['bash', '-c', `exec "$0" "$@" ${output}`],
    ...(root === undefined ? {} : { root }),
  })
  sides.push({ name, service })
  await fill(service)
}

async function fill({ baseUrl, key }: Service) {
  for (let count = 0; count < pets; count += 500) {
    const creates = Array.from({ length: 500 }, (_, index) =>
      fetch(`${baseUrl}/pets`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Rex ${count + index}`, categoryId: 7, status: 'available' }),
      }).then((answer) => answer.text()),
    )
    await Promise.all(creates)
  }
}

async function pagePaths({ service: { baseUrl, key } }: Side): Promise<string[]> {
  const paths: string[] = []
  let url: string | undefined = `${baseUrl}/pets?limit=20`
  while (url !== undefined) {
    const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    await answer.text()
    url = /<([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1]
    if (url !== undefined) paths.push(url.slice(url.indexOf('/v1')))
  }
  return paths
}

/** Processor time of a line alone, in this process: on a busy machine it is much less than the noise of a request. */
async function measureLine(name: string, urlOf: (index: number) => string) {
  const queue = createLogQueue({
    send: (text, done) => {
      Buffer.from(text)
      queueMicrotask(done)
    },
    droppedLine: String,
  })
  const config = { accessLog: 'on', logLevel: 'info' } as const
  const accessLog = createAccessLog({
    config,
    log: createLog(config, queue),
    stream: queue,
    isShown: () => true,
  })
  const authorization = 'Bearer pet_live_UV5JPKi7inkFcbSOYhyQALeFobup5wV22HL2g0'
  const socket = { remoteAddress: '127.0.0.1', destroyed: false }
  const caller = { keyId: 1n, scopes: new Set<never>() }
  const costs: number[] = []
  for (let round = 0; round < 9; round++) {
    const before = process.cpuUsage()
    for (let index = 0; index < linesPerRound; index++) {
      const raw = { method: 'GET', url: urlOf(index), headers: { authorization }, socket }
      const request = { id: `7588f2b94212-${index}`, operationId: 'listPets', startedMs: 1, caller }
      accessLog.answered({ ...request, raw: raw as unknown as IncomingMessage }, 200)
      if (index % 50 === 0) await turn()
    }
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / linesPerRound)
  }
  await queue.close(1_000)
  console.log(`a line alone, ${name}: ${median(costs).toFixed(2)} µs`)
}

async function measure(name: string, paths: string[], createShare = 0) {
  const pathsFile = join(directory, 'paths')
  writeFileSync(pathsFile, paths.join('\n'))
  const costs = new Map<string, number[]>(sides.map((side) => [side.name, []]))
  for (let round = -1; round < Number(values.rounds); round++) {
    const order = sides.map((_, index) => sides[(index + round + 1) % sides.length] as Side)
    for (const side of round % 2 === 0 ? order : order.reverse()) {
      const us = await costOf(side, { pathsFile, createShare })
      if (round >= 0 && us !== undefined) costs.get(side.name)?.push(us)
    }
  }
  const off = costs.get('off') ?? []
  console.log(`${name}: off ${median(off).toFixed(1)} µs of processor time`)
  for (const side of sides.slice(1)) {
    const own = costs.get(side.name) ?? []
    const ratios = own.map((us, round) => us / (off[round] ?? us))
    console.log(
      `  ${side.name.padEnd(10)} ${median(own).toFixed(1)} µs, ${median(ratios).toFixed(3)} (${Math.min(...ratios).toFixed(3)} to ${Math.max(...ratios).toFixed(3)})`,
    )
  }
}

/** Microseconds of processor time of one answer. */
async function costOf(
  { service }: Side,
  { pathsFile, createShare }: { pathsFile: string; createShare: number },
): Promise<number | undefined> {
  const { pid, baseUrl, key } = service
  const beforeMs = processorMs(pid)
  const load = { baseUrl, key, pathsFile, createShare, createdKinds: 'one' as const }
  try {
    const { answers } = await runWrk({ ...load, connections: 64, durationMs: windowMs })
    return ((processorMs(pid) - beforeMs) * 1_000) / answers
  } catch (error) {
    if (error instanceof LoadFailed) return undefined
    throw error
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
