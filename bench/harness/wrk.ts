import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenThisProcessIsGone } from '../../test/support/process.ts'
import type { Workload } from '../workloads.ts'

export type Load = Pick<Workload, 'createShare' | 'createdKinds' | 'connections'> & {
  baseUrl: string
  key: string
  /** A file with a path on each line. */
  pathsFile: string
  durationMs: number
}
type Outcome = { answers: number; perSecond: number; p50Ms: number; p99Ms: number }

const interruptEveryMs = 500
const running = new Set<ChildProcess>()
let loads = 0

/** How to get wrk, where it is missing. */
export function explainMissingWrk(): string | undefined {
  if (spawnSync('wrk', ['--version']).error === undefined) return undefined
  return 'The benchmark needs wrk: apt-get install wrk (Debian, Ubuntu), brew install wrk, or https://github.com/wg/wrk.'
}

/** Keeps the connections busy for a while. Throws when an answer was an error, or none came. */
export async function runWrk(load: Load): Promise<Outcome> {
  const { answers, durationUs, p50Us, p99Us, bad, broken } = JSON.parse(await outputOf(load))
  if (bad + broken > 0) {
    throw new WrongAnswers(`${bad} answers were errors and ${broken} requests broke, of ${answers}`)
  }
  if (answers === 0) throw new WrongAnswers('no request was answered within the window')
  return {
    answers,
    perSecond: answers / (durationUs / 1e6),
    p50Ms: p50Us / 1_000,
    p99Ms: p99Us / 1_000,
  }
}

export class WrongAnswers extends Error {}

/** Ends what still runs. */
export function stopWrk(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** The line that the script prints at the end. The time begins with the first request, not with reading the paths. */
async function outputOf(load: Load): Promise<string> {
  const child = start(load)
  let output = ''
  const { promise: started, resolve: begin } = Promise.withResolvers<void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (text.includes('started')) begin()
  })
  child.once('close', () => end())
  child.once('error', () => end())
  await Promise.race([started, ended])
  await Promise.race([sleep(load.durationMs), ended])
  // wrk takes whole seconds only. An interrupt ends it in order, but is lost just before it falls asleep.
  const interrupting = setInterval(() => child.kill('SIGINT'), interruptEveryMs)
  child.kill('SIGINT')
  await ended
  clearInterval(interrupting)
  running.delete(child)
  const line = output.split('\n').find((text) => text.startsWith('{"answers"'))
  if (line === undefined) throw new Error(`wrk did not report: ${output}`)
  return line
}

function start({
  baseUrl,
  key,
  pathsFile,
  createShare,
  createdKinds,
  connections,
}: Load): ChildProcess {
  loads += 1
  const script = join(import.meta.dirname, 'load.lua')
  const child = spawn(
    'wrk',
    [
      ...['-t', '1', '-c', String(connections), '-d', '600', '--timeout', '60'],
      ...['-H', `Authorization: Bearer ${key}`, '-s', script, new URL(baseUrl).origin],
      ...['--', pathsFile, String(createShare), createdKinds, String(loads)],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  running.add(child)
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  return child
}

/** Writes paths for `Load`. */
export function writePaths(file: string, paths: readonly string[]): string {
  writeFileSync(file, `${paths.join('\n')}\n`)
  return file
}
