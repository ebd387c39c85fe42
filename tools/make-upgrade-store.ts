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
import { type Engine, fileOf, pathOf, type StoreListing } from './upgrade-stores/stores.ts'

// Writes migrations/postgres-schema.tsv. --release VERSION adds to test/upgrades/stores/ the stores that the program leaves on both
// engines, filled by the program itself; --commit HASH takes the program of a commit instead of the working tree.

const { values } = parseArgs({
  options: { commit: { type: 'string' }, release: { type: 'string' } },
})
const { commit, release } = values
const server = await anyPostgres()
try {
  const schema = await writePostgresSchema(await server.createDatabase())
  if (commit === undefined) writeFileSync(schemaFile, schema)
  if (release !== undefined)
    for (const engine of ['sqlite', 'postgres'] as const) await addStore(engine, server, release)
} finally {
  await server.stop()
}

async function addStore(engine: Engine, on: PostgresServer, ofRelease: string): Promise<void> {
  const program = copyProgram(commit)
  const database = await makeDatabase(engine, on)
  try {
    const contents = await fillStore(program, database)
    const head = String(execFileSync('git', ['rev-parse', '--short', commit ?? 'HEAD'])).trim()
    keep(
      {
        engine,
        release: ofRelease,
        commit: commit === undefined ? `${head}, and what was not committed yet` : head,
        madeAt: new Date().toISOString(),
        ...contents,
      },
      await database.contents(program),
    )
  } finally {
    await database.remove()
    program.remove()
  }
}

function keep(listing: StoreListing, contents: Buffer): void {
  mkdirSync(dirname(fileOf(listing)), { recursive: true })
  writeFileSync(fileOf(listing), gzipSync(contents, { level: 9 }))
  writeFileSync(`${pathOf(listing)}.json`, `${JSON.stringify(listing, undefined, 2)}\n`)
  console.log(`${fileOf(listing)}: ${contents.length} bytes before compression`)
}
