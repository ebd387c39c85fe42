import assert from 'node:assert/strict'
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { aDirectory } from '../processes/command.ts'
import { settingsFor } from '../processes/process.ts'
import { type SoldStore, sellInStore, type TestStore } from './sell-in-store.ts'
import { change, quoted, rowsIn } from './sqlite-file.ts'

/** Where the last connections close at once, the log stays beside the file. */
const names = ['petstore.db', 'petstore.db-wal', 'petstore.db.witness', 'first-key']
const original = aDirectory({ after })
let sold: Promise<void> | undefined

/** A copy of a file in which `sellInStore` has sold; the original is made once for all tests of a process. */
export async function soldOnSqlite(t: TestContext): Promise<SoldStore & { path: string }> {
  sold ??= sellInStore(settingsFor(original))
  await sold
  const directory = aDirectory(t)
  const copied = readdirSync(original).filter((name) => names.includes(name))
  for (const name of copied) copyFileSync(join(original, name), join(directory, name))
  const path = join(directory, 'petstore.db')

  return {
    env: settingsFor(directory),
    path,
    damage: async (...statements) => change(path, statements),
    rows: async (text) => rowsIn(path, text),
    contents: async () => contentsOf(directory),
    async derive(table, column, value, id) {
      redefine(path, { table, column, value, id })
      // Opened again, it computes stored columns and indexes by the expression that is now in the schema.
      change(path, [`update ${table} set id = id; reindex`])
    },
  }
}

/** An empty file for one test. */
export async function emptyOnSqlite(t: TestContext): Promise<TestStore> {
  const directory = aDirectory(t)
  writeFileSync(join(directory, 'petstore.db'), '')
  return { env: settingsFor(directory), contents: async () => contentsOf(directory) }
}

/**
 * The files of a directory by name, except those that hold no data: locks, the index of a write-ahead log, and an empty log,
 * which stays where the last connections close at once.
 */
export function contentsOf(directory: string): Record<string, string> {
  const names = readdirSync(directory).filter((name) => !/\.lock$|-shm$/.test(name))
  const files = names.sort().map((name) => [name, readFileSync(join(directory, name), 'base64')])
  return Object.fromEntries(
    files.filter(([name, bytes]) => bytes !== '' || !name?.endsWith('-wal')),
  )
}

type Rule = { table: string; column: string; value: string; id: number }

/** Replaces the expression of a generated column by one that contains it. */
function redefine(path: string, { table, column, value, id }: Rule) {
  const where = `where type = 'table' and name = '${table}'`
  const [sql = ''] = rowsIn(path, `select sql from sqlite_schema ${where}`)
  const rule = new RegExp(
    `(\\b${column} \\w+ generated always as \\()([\\s\\S]*?)(\\n? *\\) (?:virtual|stored))`,
  )
  const changed = sql.replace(
    rule,
    (_whole, start, expression, end) =>
      `${start}case when id = ${id} then ${value} else (${expression}) end${end}`,
  )
  assert.notEqual(changed, sql, `${column} is derived in ${sql}`)
  change(path, [
    'pragma writable_schema = on',
    `update sqlite_schema set sql = ${quoted(changed)} ${where}`,
  ])
}
