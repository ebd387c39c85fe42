import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { encodeDigests, encodeManifest, type Manifest } from '../../src/admin/backup/manifest.ts'
import { createManifest } from '../../src/admin/backup/queries.ts'
import { storage } from '../../src/app/storage.ts'
import { digestStore } from '../../src/db/copying/copy-store.ts'
import { copiedTables } from '../../src/db/doors/tables-at.ts'
import { compareSchema } from '../../src/db/sqlite/compare-schema.ts'
import { type Connection, connect } from '../../src/db/sqlite/connection.ts'
import { readerOn } from '../../src/db/sqlite/copying/store-reader.ts'
import { schemaStatements, statements } from './hostile-statements.ts'
import { integer, one, type SeededRandom } from './seeded-random.ts'
import { change, quoted, rowsIn } from './sqlite-file.ts'

/** An edit of a backup's file. */
type Edit = { name: string; apply(file: string, random: SeededRandom): void }

const edits: Edit[] = [
  ...statements.map((statement, index) => ({
    name: `statement ${index}`,
    apply: (file: string, random: SeededRandom) => change(file, [statement(random)]),
  })),
  ...schemaStatements.map((statement, index) => ({
    name: `schema ${index}`,
    apply: (file: string, random: SeededRandom) =>
      change(file, ['pragma writable_schema = on', statement(random)]),
  })),
  { name: 'types', apply: changeTypes },
  ...Array.from({ length: 8 }, () => ({ name: 'flip', apply: flip })),
  ...Array.from({ length: 6 }, () => ({ name: 'page header', apply: overwritePageHeader })),
  ...Array.from({ length: 4 }, () => ({ name: 'page', apply: copyPage })),
  ...Array.from({ length: 4 }, () => ({ name: 'file header', apply: overwriteHeader })),
  { name: 'bytes', apply: overwriteBytes },
  {
    name: 'cut',
    apply: (file, random) => truncateSync(file, integer(random, 0, statSync(file).size)),
  },
  {
    name: 'longer',
    apply: (file, random) => truncateSync(file, statSync(file).size + integer(random, 1, 2 ** 20)),
  },
  {
    name: 'encrypted',
    apply: (file) =>
      edit(file, (bytes) => {
        for (let at = 100; at < bytes.length; at++) bytes[at] = (bytes[at] as number) ^ (at * 37)
      }),
  },
  { name: 'empty', apply: (file) => writeFileSync(file, '') },
]

/** What is not a file is not edited further: reading it may have no end. */
const kinds: Edit[] = [
  { name: 'folder', apply: (file) => replaceBy(file, () => mkdirSync(file)) },
  { name: 'device', apply: (file) => replaceBy(file, () => symlinkSync('/dev/zero', file)) },
  { name: 'pipe', apply: (file) => replaceBy(file, () => spawnSync('mkfifo', [file])) },
  { name: 'link to itself', apply: (file) => replaceBy(file, () => symlinkSync(file, file)) },
]

/** Edits a backup one to three times, and in every second case makes its manifest fit; returns what was done. */
export async function editBackup(
  file: string,
  original: Manifest,
  random: SeededRandom,
): Promise<string[]> {
  if (random.next() < 0.01) {
    const { name, apply } = one(kinds, random)
    apply(file, random)
    return [name]
  }
  const done: string[] = []
  const count = integer(random, 1, 4)
  for (let n = 0; n < count; n++) {
    const { name, apply } = one(edits, random)
    try {
      apply(file, random)
      done.push(name)
    } catch {
      // An earlier edit has left nothing for it, or SQLite has refused it.
    }
  }
  if (random.next() < 0.5 && (await hasNewManifest(file, original))) done.push('manifest')
  return done
}

/** Gives a backup the manifest of the rows that it has; false where they cannot be read. */
async function hasNewManifest(file: string, original: Manifest): Promise<boolean> {
  let connection: Connection | undefined
  try {
    connection = connect(file, 'immutable')
    // A view in place of a table may have no end.
    const { schema } = original
    if (compareSchema(connection, { last: schema, more: createManifest }).length > 0) return false
    // Counting the rows of an edited tree may have no end.
    const reader = { ...readerOn(connection, file), count: async () => rowsMax }
    const digests = await digestStore(reader, copiedTables(storage, schema), ({ done }) => {
      if (done > rowsMax) throw new Error('The rows have no end.')
    })
    const stored = encodeManifest({ ...original, digests: encodeDigests(digests) })
    const values = stored.map((text) => quoted(text)).join(', ')
    change(file, ['delete from backup_manifest', `insert into backup_manifest values (${values})`])
    return true
  } catch {
    return false
  } finally {
    connection?.close()
  }
}

const rowsMax = 100_000

/** Gives values another type than their strict table has. */
function changeTypes(file: string, random: SeededRandom) {
  const table = one(['pets', 'orders', 'keys', 'categories'] as const, random)
  const column = { pets: 'category_id', orders: 'quantity', keys: 'created_at', categories: 'name' }
  const value = one(["'x'", '1.5', "x'00ff'", 'null'], random)
  const sql = rowsIn(file, `select sql from sqlite_schema where name = '${table}'`)[0] ?? ''
  const lenient = sql
    .replace(/\) strict$/, ')')
    .replaceAll(' not null', '')
    .replaceAll(/ check \([^)]*\)/g, '')
  const setTo = (text: string) => [
    'pragma writable_schema = on',
    `update sqlite_schema set sql = ${quoted(text)} where name = '${table}'`,
  ]
  change(file, setTo(lenient))
  try {
    change(file, [`update ${table} set ${column[table]} = ${value} where id = 2`])
  } finally {
    change(file, setTo(sql))
  }
}

function flip(file: string, random: SeededRandom) {
  edit(file, (bytes) => {
    const at = integer(random, 0, bytes.length)
    bytes[at] = (bytes[at] as number) ^ (1 << integer(random, 0, 8))
  })
}

const pageSize = 4_096

/** The type of a page, its cells, its first pointers, its right-most child. */
function overwritePageHeader(file: string, random: SeededRandom) {
  edit(file, (bytes) => {
    const page = integer(random, 0, bytes.length / pageSize)
    const at = page * pageSize + (page === 0 ? 100 : 0) + integer(random, 0, 40)
    bytes[at] = one([0, 2, 5, 10, 13, 255, page, integer(random, 0, 256)], random)
  })
}

function copyPage(file: string, random: SeededRandom) {
  edit(file, (bytes) => {
    const [from, to] = [0, 0].map(() => integer(random, 0, bytes.length / pageSize) * pageSize)
    bytes.copy(bytes, to, from, (from ?? 0) + pageSize)
  })
}

function overwriteHeader(file: string, random: SeededRandom) {
  edit(file, (bytes) => {
    bytes[integer(random, 16, 100)] = one([0, 1, 2, 127, 255, integer(random, 0, 256)], random)
  })
}

function overwriteBytes(file: string, random: SeededRandom) {
  edit(file, (bytes) => {
    const at = integer(random, 0, bytes.length)
    bytes.fill(integer(random, 0, 256), at, at + integer(random, 1, 5_000))
  })
}

function edit(file: string, work: (bytes: Buffer) => void) {
  const bytes = readFileSync(file)
  work(bytes)
  writeFileSync(file, bytes)
}

function replaceBy(file: string, make: () => void) {
  rmSync(file, { recursive: true })
  make()
}
