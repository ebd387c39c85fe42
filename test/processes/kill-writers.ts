import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../../src/db/sqlite/connection.ts'
import { findLossAt } from '../../src/db/sqlite/loss/read-file-state.ts'
import { serveStore } from '../harness/crashed-store.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'

const program = fileURLToPath(new URL('./writing-store.ts', import.meta.url))
/** The rounds on one database before it is replaced. */
const roundsPerDatabase = 50

type Kills = { kills: number; random: SeededRandom; onKill(done: number): void }
type KillSummary = { kills: number; duringStart: number; acknowledged: number }

/**
 * Kills a process that writes to a store at any moment, its start included; the files must be judged sound, and have all that
 * was acknowledged. Throws at the first violation.
 */
export async function killWriters({ kills, random, onKill }: Kills): Promise<KillSummary> {
  const home = mkdtempSync(join(tmpdir(), 'petstore-kills-'))
  const done: KillSummary = { kills: 0, duringStart: 0, acknowledged: 0 }
  const path = join(home, 'petstore.db')
  let startMs = 500
  let stored = 0
  try {
    while (done.kills < kills) {
      if (done.kills % roundsPerDatabase === 0) {
        for (const ending of ['', '-wal', '-shm', '.lock', '.witness'])
          rmSync(path + ending, { force: true })
        await (await serveStore(path)).close()
        stored = 0
      }
      const killed = await killOne(path, random.between(0.3 * startMs, 1.6 * startMs))
      assert.equal(findLossAt(path)?.message, undefined)
      const found = petsIn(home, path)
      assert.ok(
        found >= stored + killed.acknowledged,
        `${found} of ${stored} + ${killed.acknowledged}`,
      )
      stored = found
      if (killed.firstMs === undefined) {
        done.duringStart += 1
        startMs *= 1.2
      } else startMs = (startMs + killed.firstMs) / 2
      done.kills += 1
      done.acknowledged += killed.acknowledged
      onKill(done.kills)
    }
    return done
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Starts the process and kills it after this time; `firstMs`: when its first pet was acknowledged. */
async function killOne(path: string, afterMs: number) {
  const begin = performance.now()
  const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  let firstMs: number | undefined
  child.stdout.on('data', (text) => {
    firstMs ??= performance.now() - begin
    output += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs)
  const [, signal] = await once(child, 'close')
  clearTimeout(timer)
  assert.equal(signal, 'SIGKILL', errors)
  const lines = output.split('\n').slice(0, -1)
  return { acknowledged: Number(lines.at(-1) ?? 0), firstMs }
}

/** Reads a copy, so that the next start meets the log. */
function petsIn(home: string, path: string): number {
  const copy = join(home, 'copy.db')
  for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true })
  for (const ending of ['', '-wal']) {
    if (existsSync(path + ending)) copyFileSync(path + ending, copy + ending)
  }
  const connection = connect(copy)
  try {
    return Number(connection.all<[bigint]>('select count(*) from pets')[0]?.[0])
  } finally {
    connection.close()
  }
}
