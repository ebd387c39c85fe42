import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { whenThisProcessIsGone } from '../../test/processes/process.ts'
import type { Workload } from '../workloads.ts'

export type Load = Pick<Workload, 'writeShare' | 'connections'> & {
  baseUrl: string
  key: string
  /** A file with one path per line. */
  pathsFile: string
  /** A kind of creates that load.lua knows, or a file with a request per line: the load ends with it. */
  writes: string
  durationMs: number
}
type Outcome = { answers: number; perSecond: number; p50Ms: number; p99Ms: number }

const interruptEveryMs = 500
let seed = 0

export class LoadFailed extends Error {}

/** How to install wrk, if it is missing. */
export function explainMissingWrk(): string | undefined {
  if (spawnSync('wrk', ['--version']).error === undefined) return undefined
  return 'The benchmark needs wrk: apt-get install wrk (Debian, Ubuntu) or https://github.com/wg/wrk.'
}

/** Runs wrk. Throws `LoadFailed` when an answer was an error or there was none. */
export async function runWrk(load: Load): Promise<Outcome> {
  const output = await outputOf(load)
  const line = output.split('\n').find((text) => text.startsWith('{"answers"'))
  if (line === undefined) throw new Error(`wrk did not report: ${output}`)
  const { answers, durationUs, p50Us, p99Us, bad, broken } = JSON.parse(line)
  if (bad + broken > 0) {
    throw new LoadFailed(`${bad} of ${answers} answers were errors, ${broken} requests failed`)
  }
  if (answers === 0) throw new LoadFailed('no request was answered within the window')
  const perSecond = answers / (durationUs / 1e6)
  return { answers, perSecond, p50Ms: p50Us / 1_000, p99Ms: p99Us / 1_000 }
}

async function outputOf(load: Load): Promise<string> {
  seed += 1
  const { writeShare, writes, connections } = load
  const args = [
    ...['-t', '1', '-c', String(connections), '-d', '600', '--timeout', '60'],
    ...['-H', `Authorization: Bearer ${load.key}`],
    ...['-s', join(import.meta.dirname, 'load.lua'), new URL(load.baseUrl).origin],
    ...['--', load.pathsFile, String(writeShare), writes, String(seed)],
  ]
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const ended = once(child, 'close')
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  // load.lua prints a line when it has read the paths, where the duration starts, and one when each line of a file is answered.
  const lines = createInterface(child.stderr)[Symbol.asyncIterator]()
  await Promise.race([lines.next(), ended])
  await Promise.race([sleep(load.durationMs), lines.next(), ended])
  // wrk takes whole seconds only, but ends in order on SIGINT. It can miss a signal, so the signal is repeated.
  const interrupting = setInterval(() => child.kill('SIGINT'), interruptEveryMs)
  child.kill('SIGINT')
  await ended
  clearInterval(interrupting)
  return output
}
