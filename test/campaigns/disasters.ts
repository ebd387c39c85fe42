/**
 * npm run test:disasters -- [--pets 100000] [--only NAME]
 * The accidents of docs/guides/disaster.md on SQLite, each under load, and what the guide says to do: how many acknowledged pets
 * are lost, and how long it takes until a pet is acknowledged again. Exits with 1 where something is lost
 * that the backup or the log has.
 */
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { flipBit } from '../harness/bit-flips.ts'
import { fillSqlite } from '../harness/fill.ts'
import { call } from '../harness/petstore.ts'
import { petstore } from '../processes/command.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { post } from './measure.ts'

const { values } = parseArgs({
  options: { pets: { type: 'string', default: '100000' }, only: { type: 'string' } },
})
/** How long creates run before the backup, and after it. */
const loadMs = 2_000
const clients = 4
const idsAtOnce = 100
const pet = { name: 'Rex', categoryId: 7, status: 'available' }

type Env = Record<string, string>
type Accident = {
  /** What happens, once the load has stopped or still runs; it ends the service. */
  happen(service: Service, path: string): Promise<void>
  /** The commands of the guide. Returns the settings of the service that is started then. */
  repair(env: Env, backup: string, directory: string): Promise<Env>
  /** Whether everything acknowledged has to be there. */
  losesNothing?: true
}

const accidents: Record<string, Accident> = {
  'deleted file': {
    async happen(service, path) {
      rmSync(path)
      await service.exited
    },
    repair: (env, backup) => command(env, 'restore', backup, '--replace', '--skip-ids', '100000'),
  },
  'dead machine': {
    happen: (service) => service.kill().then(() => undefined),
    async repair(env, backup, directory) {
      const machine = join(directory, 'machine')
      mkdirSync(machine)
      const place = { ...env, PETSTORE_DATABASE: `sqlite:${join(machine, 'petstore.db')}` }
      return command(place, 'restore', backup, '--skip-ids', '100000')
    },
  },
  'damaged log, recovered': {
    async happen(service, path) {
      await service.kill()
      damageLog(path)
    },
    repair: (env) => command(env, 'recover'),
  },
  'damaged log, restored': {
    async happen(service, path) {
      await service.kill()
      damageLog(path)
    },
    repair: (env, backup) => command(env, 'restore', backup, '--replace', '--skip-ids', '100000'),
  },
  'dropped table': {
    async happen(service, path) {
      await service.stop()
      using database = new DatabaseSync(path)
      database.exec('drop table orders; delete from pets')
    },
    repair: (env, backup) => command(env, 'restore', backup, '--replace'),
  },
  'killed service': {
    happen: (service) => service.kill().then(() => undefined),
    repair: async (env) => env,
    losesNothing: true,
  },
}

console.log(
  '| accident | acknowledged after the backup | lost | back after |\n| --- | --- | --- | --- |',
)
for (const [name, accident] of Object.entries(accidents)) {
  if (values.only === undefined || name.includes(values.only)) await measure(name, accident)
}

async function measure(name: string, { happen, repair, losesNothing }: Accident) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-disasters-'))
  const home = join(directory, 'home')
  mkdirSync(home)
  const env = settingsFor(home)
  const path = join(home, 'petstore.db')
  const backup = join(directory, 'pets.backup')
  try {
    await (await startService({ env })).stop()
    fillSqlite(path, Number(values.pets))
    const before = await startService({ env })
    const early = await acknowledged(before)
    // Moves everything from the log into the file: the log that is damaged has only what follows the backup.
    await before.stop()
    const service = await startService({ env })
    await command(env, 'backup', backup)
    const late = await acknowledged(service)
    await happen(service, path)

    const startMs = performance.now()
    await using again = await startService({ env: await repair(env, backup, directory) })
    const back = { ...again, key: service.key }
    await post(back, '/pets', pet)
    const seconds = (performance.now() - startMs) / 1_000
    const lostEarly = await countMissing(back, early)
    const lostLate = await countMissing(back, late)
    console.log(`| ${name} | ${late.length} | ${lostEarly + lostLate} | ${seconds.toFixed(1)} s |`)
    if (lostEarly > 0 || (losesNothing && lostLate > 0)) {
      console.error(`disasters: FAILED, ${name} lost what it must not lose.`)
      process.exitCode = 1
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function command(env: Env, ...args: string[]): Promise<Env> {
  const { code, stderr } = await petstore(args, { env })
  if (code !== 0 && code !== 79) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return env
}

/** Creates pets for a while; returns the ids of those that were acknowledged. */
async function acknowledged(service: Service): Promise<number[]> {
  const ids: number[] = []
  const endMs = performance.now() + loadMs
  const run = async () => {
    while (performance.now() < endMs) ids.push((await post(service, '/pets', pet)).id)
  }
  await Promise.all(Array.from({ length: clients }, run))
  return ids
}

async function countMissing(service: Service, ids: readonly number[]): Promise<number> {
  let found = 0
  for (let first = 0; first < ids.length; first += idsAtOnce) {
    const query = ids.slice(first, first + idsAtOnce).map((id) => `id=${id}`)
    const response = await call(service, `/pets?limit=${idsAtOnce}&${query.join('&')}`)
    found += ((await response.json()) as unknown[]).length
  }
  return ids.length - found
}

/** Flips a bit in the middle of the log. */
function damageLog(path: string) {
  flipBit(`${path}-wal`, 4 * statSync(`${path}-wal`).size)
}
