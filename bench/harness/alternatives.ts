import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/processes/command.ts'
import { repositoryRoot, startProgram } from '../../test/processes/process.ts'
import type { Alternatives } from '../results.ts'
import { interleave } from '../rounds.ts'
import { ask, pageSize } from './pages.ts'
import { processorMs } from './processor-time.ts'
import { peakMiB } from './server.ts'
import { runWrk } from './wrk.ts'

const [warmUpMs, windowMs, pollMs] = [4_000, 2_000, 5]
const beyondDouble = '9007199254740993'

/** A program, where it serves a page of pets, and how it is started in a copy of `bench/alternatives`, which has the same pets for each. */
type Program = { name: string; pets: string; command: string[] }
const installed = (path: string) => join(import.meta.dirname, '../node_modules', path)
const document = join(repositoryRoot, 'openapi.json')
const node = process.execPath
const programs: readonly Program[] = [
  {
    name: 'petstore serve --ephemeral',
    pets: `/v1/pets?limit=${pageSize}`,
    command: [
      ...[node, join(repositoryRoot, 'bin/petstore.js'), 'serve', '--ephemeral', '--json'],
      ...['--fixture', 'fixture.json'],
    ],
  },
  {
    name: 'json-server',
    pets: `/pets?_limit=${pageSize}`,
    command: [node, installed('json-server/lib/cli/bin.js'), '--host', '127.0.0.1', 'db.json'],
  },
  {
    name: '@stoplight/prism-cli',
    pets: `/pets?limit=${pageSize}`,
    command: [node, installed('@stoplight/prism-cli/dist/index.js'), 'mock', document],
  },
  {
    name: 'wiremock',
    pets: '/pets',
    command: ['java', '-jar', installed('wiremock/build/wiremock-standalone-3.13.2.jar')],
  },
]

/** Measures what people would take instead of ours, each started anew in each round. */
export async function measureAlternatives(directory: string, rounds: number) {
  const measured: Alternatives['measured'] = Object.fromEntries(
    programs.map(({ name }) => [name, { keeps: {}, windows: [] }]),
  )
  for (const { side } of interleave(['pets'], () => programs, { first: 1, last: rounds })) {
    const { keeps, ...window } = await measureProgram(side, mkdtempSync(join(directory, 'data-')))
    measured[side.name] = { keeps, windows: [...(measured[side.name]?.windows ?? []), window] }
  }
  return measured
}

async function measureProgram({ pets, command }: Program, folder: string) {
  cpSync(join(import.meta.dirname, '../alternatives'), folder, { recursive: true })
  const port = await freePort()
  const startMs = performance.now()
  const argv = ['sh', '-c', 'exec "$0" "$@" >log 2>&1', ...command, '--port', port]
  await using program = startProgram(argv, { cwd: folder })
  const server = { baseUrl: `http://127.0.0.1:${port}`, key: 'none' }
  while ((await ask(server, pets).catch(() => undefined))?.status !== 200) {
    await sleep(pollMs)
    const log = readFileSync(join(folder, 'log'), { encoding: 'utf8', flag: 'a+' })
    server.key = /"key":"(\w+)"/.exec(log)?.[1] ?? 'none'
  }
  const startS = (performance.now() - startMs) / 1_000
  const pathsFile = join(folder, 'paths')
  const load = { ...server, pathsFile, writeShare: 0, writes: 'one pet', connections: 64 }
  writeFileSync(pathsFile, pets)
  await runWrk({ ...load, durationMs: warmUpMs })
  await sleep(windowMs) // A slow server still works for clients that have gone.
  const { p50Ms } = await runWrk({ ...load, connections: 1, durationMs: windowMs })
  const beforeMs = processorMs(program.pid)
  const { answers } = await runWrk({ ...load, durationMs: windowMs })
  const processorUs = ((processorMs(program.pid) - beforeMs) * 1_000) / answers
  const measured = { startS, peakMiB: peakMiB(program.pid), p50Ms, processorUs }
  return { ...measured, keeps: await keptBy(server, pets) }
}

/** What of the contract a program keeps. */
async function keptBy(server: { baseUrl: string; key: string }, pets: string) {
  const [path = ''] = pets.split('?')
  const headers = { 'content-type': 'application/json' }
  const post = (body: string) => ask(server, path, { method: 'POST', headers, body })
  const created = await post(`{"name":"Kept","categoryId":${beyondDouble},"status":"available"}`)
  const { id } = JSON.parse(created.body)
  const { body: found } = await ask(server, `${path}/${id}`)
  const { status: withUnknownKey } = await ask({ ...server, key: 'unknown' }, pets)
  const { status: withoutName } = await post('{"categoryId":1,"status":"available"}')
  return {
    state: found.includes('"Kept"'),
    keys: withUnknownKey === 401,
    validation: withoutName >= 400 && withoutName < 500,
    int64: created.body.includes(beyondDouble),
  }
}
