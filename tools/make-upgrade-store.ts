import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { schemaFile } from '../src/db/postgres/compare-schema.ts'
import { writePostgresSchema } from '../test/harness/postgres-schema.ts'
import { anyPostgres, type PostgresServer } from '../test/processes/postgres.ts'
import { fillStore } from './upgrade-stores/fill-store.ts'
import { copyProgram } from './upgrade-stores/program.ts'
import { makeDatabase } from './upgrade-stores/store-database.ts'
import {
  contentsOf,
  type Engine,
  fileOf,
  listStores,
  pathOf,
  type StoreListing,
} from './upgrade-stores/stores.ts'

// Adds to test/upgrades/stores/ the stores that the program leaves, on both engines: one with its newest migration, filled
// by the program itself; and for each migration before it that has none yet the store of an upgrade, or of a first start,
// that was killed after that migration. --commit HASH takes the program of a commit instead of the working tree, --release
// VERSION says that it was released.

const { values } = parseArgs({
  options: { commit: { type: 'string' }, release: { type: 'string' } },
})
const { commit, release } = values
const server = await anyPostgres()
try {
  const schema = await writePostgresSchema(await server.createDatabase())
  if (commit === undefined) writeFileSync(schemaFile, schema)
  for (const engine of ['sqlite', 'postgres'] as const) await addStores(engine, server)
} finally {
  await server.stop()
}

async function addStores(engine: Engine, on: PostgresServer): Promise<void> {
  const program = copyProgram(commit)
  const newest = program.migrations.at(-1) ?? ''
  program.remove()
  for (const migration of program.migrations) {
    const isThere = listStores(engine).some((store) => store.migration === migration)
    if (migration === newest) await addFilled(engine, on, { isThere })
    else if (!isThere) await addInterrupted(engine, on, migration)
  }
}

/** The store that the program leaves after it was used. */
async function addFilled(engine: Engine, on: PostgresServer, { isThere }: { isThere: boolean }) {
  if (isThere && release === undefined) return
  const program = copyProgram(commit)
  const database = await makeDatabase(engine, on)
  try {
    const contents = await fillStore(program, database)
    const [migration = ''] = program.migrations.slice(-1)
    const released = release === undefined ? {} : { release }
    const listing = { ...origin(engine, migration), ...released, ...contents }
    keep(listing, await database.contents(program))
  } finally {
    await database.remove()
    program.remove()
  }
}

/** A program that knows no later migrations stops where a killed one did; what its command does then is of no importance. */
async function addInterrupted(engine: Engine, on: PostgresServer, migration: string) {
  const before = listStores(engine).findLast((store) => store.migration < migration)
  const program = copyProgram(commit, migration)
  const database = await makeDatabase(engine, on, before && contentsOf(before))
  try {
    await program.run(['deprecations'], { PETSTORE_DATABASE: database.address })
    const applied = await database.applied()
    if (applied.at(-1) !== migration) throw new Error(`${applied} do not end with ${migration}.`)
    const { keys = {}, reads = {}, lastIds = {}, claims = [] } = before ?? {}
    const listing = { ...origin(engine, migration), keys, reads, lastIds, claims }
    const { madeAt = listing.madeAt } = before ?? {}
    keep({ ...listing, madeAt }, await database.contents(program))
  } finally {
    await database.remove()
    program.remove()
  }
}

function origin(engine: Engine, migration: string) {
  const head = String(execFileSync('git', ['rev-parse', '--short', commit ?? 'HEAD'])).trim()
  return {
    engine,
    migration,
    commit: commit === undefined ? `${head}, and what was not committed yet` : head,
    madeAt: new Date().toISOString(),
  }
}

function keep(listing: StoreListing, contents: Buffer): void {
  mkdirSync(dirname(fileOf(listing)), { recursive: true })
  writeFileSync(fileOf(listing), gzipSync(contents, { level: 9 }))
  writeFileSync(`${pathOf(listing)}.json`, `${JSON.stringify(listing, undefined, 2)}\n`)
  console.log(`${fileOf(listing)}: ${contents.length} bytes before compression`)
}
