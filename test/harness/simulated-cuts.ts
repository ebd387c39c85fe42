import assert from 'node:assert/strict'
import { mkdirSync, mkdtempDisposableSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copySource } from '../../src/admin/backup/write-backup.ts'
import { storage } from '../../src/app/storage.ts'
import { OpenError } from '../../src/db/errors.ts'
import { openInlineSqlite } from '../../src/db/sqlite/serving/db.ts'
import { petsList } from '../../src/features/pets/queries.ts'
import type { FileEvent } from '../processes/record-writes.ts'
import { serveStore } from './crashed-store.ts'
import { type Rounds, runRounds } from './run-rounds.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const commandsMax = 3
/** The others are opened on this thread, which judges the files in the same way and starts no worker. */
const servedOf = 0.1

/**
 * Cuts the power, or kills the process, at a random moment of a recording; then runs commands that only read, and starts. The start
 * must not be refused, and must have all that was acknowledged. Throws at the first that is or has not.
 */
export function simulateCuts(events: readonly FileEvent[], rounds: Rounds) {
  return runRounds(rounds, (random) => cutAgain(events, random))
}

async function* cutAgain(events: readonly FileEvent[], random: SeededRandom) {
  using home = mkdtempDisposableSync(join(tmpdir(), 'petstore-simulated-'))
  const counts = { kills: 0, commands: 0, withoutWitness: 0 }
  for (;;) {
    const store = join(home.path, 'store')
    mkdirSync(store)
    const path = join(store, 'petstore.db')
    const end = Math.floor(random.between(0, events.length))
    const disk = new SimulatedDisk()
    for (const event of events.slice(0, end)) disk.apply(event)
    if (random.next() < 0.25) {
      disk.leaveAfterKill(store)
      counts.kills += 1
    } else disk.leaveAfterCut(store, random)
    const acknowledged = acknowledgedIn(events.slice(0, end))
    const isWitnessLost = random.next() < 0.1
    if (isWitnessLost) {
      rmSync(`${path}.witness`, { force: true })
      counts.withoutWitness += 1
    }
    const commands = Math.floor(random.between(0, commandsMax + 1))
    for (let command = 0; command < commands; command++) await runCommand(path, random)
    // Once a command has emptied the log, such a store looks like a copy of the database alone.
    const mayWarn = isWitnessLost || acknowledged === 0
    if (random.next() < servedOf)
      await (await serveStore(path, mayWarn ? () => undefined : undefined)).close()
    const pets = await countPets(path)
    assert.ok(pets >= acknowledged, `${pets} of ${acknowledged} pets after event ${end}`)
    rmSync(store, { recursive: true })
    counts.commands += commands
    yield counts
  }
}

function acknowledgedIn(events: readonly FileEvent[]): number {
  const last = events.findLast((event) => event.kind === 'acknowledge')
  return last?.count ?? 0
}

/** As `verify` and `keys list`, or `backup` open the store. One that has no schema yet is refused. */
async function runCommand(path: string, random: SeededRandom) {
  const source = { engine: 'sqlite', path, name: path } as const
  const commands = [
    async () => (await openInlineSqlite({ ...optionsFor(path), outdated: 'refused' })).close(),
    () => {
      const file = `${path}.copy`
      rmSync(file, { force: true })
      return copySource(storage, { source, environment: 'production', file }, () => undefined)
    },
  ]
  try {
    await commands[Math.floor(random.between(0, commands.length))]?.()
  } catch (error) {
    const isUnfinished = error instanceof OpenError && error.reason !== 'damaged'
    if (!isUnfinished) throw error
  }
}

/** Opens the store as a command that writes does. */
async function countPets(path: string): Promise<number> {
  const db = await openInlineSqlite({ ...optionsFor(path), outdated: 'upgraded' })
  try {
    return await db.scan(petsList.count, {})
  } finally {
    await db.close()
  }
}

function optionsFor(path: string) {
  return { path, storage, storageUrl: '', warn: () => undefined, onLost: () => undefined }
}
