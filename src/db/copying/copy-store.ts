import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Table } from '../storage.ts'
import type { Chunk, RowReader, StoreWriter, TableShape } from './copying.ts'

/** A table to copy; a store of another version of the program may have others. */
export type CopiedTable = TableShape & Pick<Table, 'assignsIds'>

/** What two copies of a table have in common: the SHA-256 of its rows as `RowReader` reads them, and its last id. */
export type TableDigest = { rows: number; sha256: string; lastId?: bigint }
export type Digests = Readonly<Record<string, TableDigest>>

/** Called with the number of rows so far, and with that of all rows. */
type OnRows = (done: number, total: number) => void

/** Copies the rows and last ids of these tables; returns the digests of what was read. `finish` is left to the caller. */
export async function copyStore(
  writer: StoreWriter,
  reader: RowReader,
  tables: readonly CopiedTable[],
  onRows: OnRows,
): Promise<Digests> {
  return eachTable(reader, tables, onRows, async (table, chunks, lastId) => {
    await writer.insert(table, chunks)
    if (lastId !== undefined) await writer.skipIds(table.name, lastId)
  })
}

/** The digests of these tables, in constant memory. */
export async function digestStore(
  reader: RowReader,
  tables: readonly CopiedTable[],
  onRows: OnRows,
): Promise<Digests> {
  return eachTable(reader, tables, onRows, async (_table, chunks) => {
    for await (const _chunk of chunks);
  })
}

type Take = (
  table: CopiedTable,
  chunks: AsyncIterable<Chunk>,
  lastId: bigint | undefined,
) => Promise<void>

async function eachTable(
  reader: RowReader,
  tables: readonly CopiedTable[],
  onRows: OnRows,
  take: Take,
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
        onRows(done, total)
        yield chunk
      }
    }
    const lastId = table.assignsIds ? await reader.lastId(table.name) : undefined
    await take(table, hashed(), lastId)
    const digest = { rows: done - before, sha256: hash.digest('hex') }
    digests[table.name] = lastId === undefined ? digest : { ...digest, lastId }
  }
  return digests
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
