import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { closing } from '../opening/closing.ts'
import type { Table } from '../storage.ts'
import type { Chunk, RowReader, StoreWriter, TableShape } from './copying.ts'

/** A table to copy; a store of another version of the program may have others. */
export type CopiedTable = TableShape & Pick<Table, 'assignsIds'>

/** What two copies of a table have in common: the SHA-256 of its rows as `RowReader` reads them, and its last id. */
export type TableDigest = { rows: number; sha256: string; lastId?: bigint }
export type Digests = Readonly<Record<string, TableDigest>>

/** Called with the number of rows so far, and with that of all rows. */
type OnRows = (rows: { unit: 'rows'; done: number; total: number }) => void
type Reading = [reader: RowReader, tables: readonly CopiedTable[], onRows: OnRows]

/** Fills a new store with the rows and last ids of these tables, durably. Returns the digests of what was read. */
export async function copyStore(
  opening: Promise<StoreWriter>,
  ...reading: Reading
): Promise<Digests> {
  await using writer = closing(await opening)
  const digests = await copyRows(writer, ...reading)
  await writer.finish()
  return digests
}

async function copyRows(
  writer: Pick<StoreWriter, 'insert' | 'skipIds'>,
  ...[reader, tables, onRows]: Reading
): Promise<Digests> {
  const digests: Record<string, TableDigest> = {}
  let total = 0
  for (const table of tables) total += await reader.count(table)
  let done = 0
  for (const table of tables) {
    const hash = createHash('sha256')
    const before = done
    async function* hashed() {
      for await (const chunk of reader.read(table)) {
        hash.update(chunk.lines)
        done += chunk.rows
        onRows({ unit: 'rows', done, total })
        yield chunk
      }
    }
    const lastId = table.assignsIds ? await reader.lastId(table.name) : undefined
    await writer.insert(table, hashed())
    const digest = { rows: done - before, sha256: hash.digest('hex') }
    digests[table.name] = lastId === undefined ? digest : { ...digest, lastId }
    if (lastId !== undefined) await writer.skipIds(table.name, lastId)
  }
  return digests
}

/** The digests of these tables, in constant memory. */
export function digestStore(...reading: Reading): Promise<Digests> {
  return copyRows(nowhere, ...reading)
}

const nowhere = {
  async insert(_table: unknown, chunks: AsyncIterable<Chunk>) {
    for await (const _chunk of chunks);
  },
  async skipIds() {},
}

export function rowsIn(digests: Digests): number {
  return Object.values(digests).reduce((sum, { rows }) => sum + rows, 0)
}

type ByTable = Readonly<Record<string, unknown>>

/** The tables that differ. */
export function differences(one: ByTable, other: ByTable): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name])).sort()
}
