import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it, type TestContext } from 'node:test'
import type { StoreRow } from '../../src/db/sqlite/loss/store-row.ts'
import { openWitness, readWitness } from '../../src/db/sqlite/loss/witness.ts'
import { insertPets, petsList } from '../../src/features/pets/queries.ts'
import { contentsOf } from '../../tools/upgrade-stores/stores.ts'
import { crashStore, serveStore } from '../harness/crashed-store.ts'
import { itInFull } from '../harness/extent.ts'
import { storeOf } from '../harness/upgrade-stores.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

const pets = 6
const anyPage = { filter: {}, page: { limit: 100, sort: 'id', after: undefined } } as const

async function aDamagedStore(t: TestContext, damage: (path: string) => void) {
  const directory = aDirectory(t)
  const path = await crashStore(directory, { pets })
  damage(path)
  return { directory, path, env: { PETSTORE_DATABASE: `sqlite:${path}` } }
}

async function recover(env: Record<string, string>) {
  const { code, stdout, stderr } = await petstoreInThread(['recover', '--json'], { env })
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  return { code, report: JSON.parse(stdout) }
}

/** Serves a store; returns the ids of its pets, and the id of the next one. */
async function serve(path: string) {
  const db = await serveStore(path)
  try {
    const { items } = await db.read(petsList.select, anyPage)
    const ids = items.map((item) => Number(/"id":(\d+)/.exec(String(item))?.[1]))
    const id = await db.write(insertPets, { name: 'Max', categoryId: 7n })
    return { ids, next: String(id) }
  } finally {
    await db.close()
  }
}

function latestOf(one: StoreRow, other: StoreRow): StoreRow {
  return one.commits > other.commits ? one : other
}

function flipBit(file: string, position: number) {
  const bytes = readFileSync(file)
  bytes[position] = (bytes[position] as number) ^ 4
  writeFileSync(file, bytes)
}

/** Where the row of a pet with this name is; the log of events has it too, behind the type of the event. */
function findPet(bytes: Buffer, name: string): number {
  const member = `"name":"${name}`
  let at = bytes.indexOf(member, bytes.length / 2)
  while (bytes.subarray(at - 100, at).includes('pet.created')) at = bytes.indexOf(member, at + 1)
  assert.ok(at > 0, 'There is no such pet.')
  return at
}

const allIds = Array.from({ length: pets }, (_, index) => index + 1)

it('recover --json: a flipped bit of the log loses the commits behind it, which are named', async (t) => {
  const { path, env } = await aDamagedStore(t, (file) => flipBit(`${file}-wal`, 13_000))

  const { code, report } = await recover(env)

  assert.deepEqual([code, report.salvaged], [0, null])
  assert.ok(BigInt(report.lost.first) < BigInt(report.lost.last), JSON.stringify(report.lost))
  assert.equal(report.lostIds.pets.last, String(pets))
  for (const ending of ['', '-wal', '.witness']) assert.ok(readFileSync(report.kept + ending))
  const { ids } = await serve(path)
  assert.ok(ids.length < pets)
  assert.deepEqual(ids, allIds.slice(0, ids.length))
})

it('recover: a cut log loses its last commits, which are named; their ids are not assigned again', async (t) => {
  const { directory, path, env } = await aDamagedStore(t, (file) => {
    truncateSync(`${file}-wal`, readFileSync(`${file}-wal`).length - 60_000)
    // The ids of a witness may be a second old; these are the last.
    const latest = readWitness(file).reduce(latestOf)
    const witness = openWitness(file, assert.fail)
    witness.write({ ...latest, ids: { pets: BigInt(pets) } })
    witness.close()
  })

  const { code, stdout } = await petstoreInThread(['recover'], { env })

  assert.equal(code, 0)
  assert.match(
    stdout,
    /petstore\.db is a sound store again\. The damaged files are \S+\.damaged-\S+Z and/,
  )
  assert.match(
    stdout,
    /\nCommits \d+ to \d+ are lost\.\n {2}pets: ids \d to 6, and perhaps later ones\n/,
  )
  assert.match(stdout, /\nNo id up to these is assigned again: .*pets 10000\d\d/)
  const { ids, next } = await serve(path)
  assert.ok(ids.length < pets)
  assert.deepEqual(ids, allIds.slice(0, ids.length))
  assert.match(next, /10000\d\d/)
  assert.deepEqual(
    readdirSync(directory).filter((name) => /recover|salvag/.test(name)),
    [],
  )
})

itInFull(
  'recover: without a witness what is lost is unknown; a recovery that was interrupted begins anew',
  async (t) => {
    const { path, env } = await aDamagedStore(t, (file) => {
      flipBit(`${file}-wal`, 13_000)
      rmSync(`${file}.witness`)
    })

    const { report } = await recover(env)

    assert.equal(report.lost, 'unknown')
    renameSync(path, `${report.kept}.new`)
    const refused = await petstoreInThread(['deprecations'], { env })
    assert.equal(refused.code, 65)
    assert.match(refused.stderr, /petstore recover was interrupted .* Run petstore recover again/)
    const again = await recover(env)
    assert.equal(again.report.lost, 'unknown')
    assert.match((await serve(path)).next, /10000\d\d/)
  },
)

itInFull('recover: rows are copied around damaged pages of the database', async (t) => {
  const { path, env } = await aDamagedStore(t, () => undefined)
  const db = await serveStore(path)
  const long = { name: 'x'.repeat(200), categoryId: 1n }
  await Promise.all(Array.from({ length: 400 }, () => db.write(insertPets, long)))
  await db.close()
  const bytes = readFileSync(path)
  const text = findPet(bytes, 'x'.repeat(200))
  bytes.fill(0xff, text - (text % 4096), text - (text % 4096) + 64)
  writeFileSync(path, bytes)

  const { report } = await recover(env)

  const { rows, unreadable } = report.salvaged.pets
  assert.ok(rows > 300 && rows < 406 && rows + unreadable >= 406, JSON.stringify(report.salvaged))
  assert.equal(report.salvaged.environment.rows, 1)
  const { code } = await petstoreInThread(['verify'], { env })
  assert.equal(code, 0)
  assert.match((await serve(path)).next, /10004\d\d/)
})

itInFull('recover: changes nothing where nothing is damaged', async (t) => {
  const { directory, path, env } = await aDamagedStore(t, () => undefined)
  const before = readFileSync(`${path}-wal`)

  const { code, stdout } = await petstoreInThread(['recover'], { env })

  assert.equal(code, 0)
  assert.match(stdout, /^Nothing of \S+petstore\.db is damaged\. Nothing was changed\.\n$/)
  assert.deepEqual(readFileSync(`${path}-wal`), before)
  assert.deepEqual(readdirSync(directory).sort(), [
    'petstore.db',
    'petstore.db-wal',
    'petstore.db.lock',
    'petstore.db.witness',
  ])
})

it('recover: saves every row; the last id may be near the greatest', async (t) => {
  const path = join(aDirectory(t), 'petstore.db')
  writeFileSync(path, contentsOf(storeOf('1.0.0', 'sqlite')))
  const rootOf =
    "select rootpage * 4096 - 4096 as start from sqlite_schema where name = 'pets_status'"
  const counts = 'select (select count(*) from pets) as pets, (select count(*) from keys) as keys'
  const ask = (text: string) => {
    const database = new DatabaseSync(path)
    const row = database.prepare(text).get() as Record<string, number>
    database.close()
    return row
  }
  const before = ask(counts)
  const bytes = readFileSync(path)
  const { start } = ask(rootOf)
  bytes.fill(0xff, start, Number(start) + 64)
  writeFileSync(path, bytes)
  const env = { PETSTORE_DATABASE: `sqlite:${path}`, PETSTORE_ENVIRONMENT: 'staging' }

  const { code, report } = await recover(env)
  const saved = ask(counts)
  const verified = await petstoreInThread(['verify'], { env })

  assert.deepEqual([code, report.lastIds.pets], [0, String(2n ** 63n - 1n)])
  assert.deepEqual({ ...saved }, { ...before })
  assert.equal(verified.code, 0, verified.stdout)
})
