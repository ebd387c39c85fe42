import type { Storage, Table } from '../storage.ts'
import type { Chunk, RowReader, StoreWriter, TableShape } from './copying.ts'
import { createDigest, type Digests, type TableDigest } from './digests.ts'

/** A table to copy; a store of another version of the program may have others. */
export type CopiedTable = TableShape & Pick<Table, 'assignsIds'>

/** Called with the number of rows so far, of all tables. */
type OnProgress = (rows: number) => void

/** The tables with the contents of a store, and not those about its place. */
export function copiedTables({ tables }: Pick<Storage, 'tables'>): Table[] {
  return tables.filter(({ isLocal }) => !isLocal)
}

/** How many rows these tables have. */
export async function countRows(
  reader: RowReader,
  tables: readonly CopiedTable[],
): Promise<number> {
  let total = 0
  for (const table of tables) total += await reader.count(table)
  return total
}

/** Copies the rows and last ids of these tables; returns the digests of what was read. `finish` is left to the caller. */
export async function copyStore(
  writer: StoreWriter,
  reader: RowReader,
  tables: readonly CopiedTable[],
  onProgress: OnProgress,
): Promise<Digests> {
  return eachTable(reader, tables, onProgress, async (table, chunks, lastId) => {
    await writer.insert(table, chunks)
    if (lastId !== undefined) await writer.skipIds(table.name, lastId)
  })
}

/** The digests of these tables, in constant memory. */
export async function digestStore(
  reader: RowReader,
  tables: readonly CopiedTable[],
  onProgress: OnProgress,
): Promise<Digests> {
  return eachTable(reader, tables, onProgress, async (_table, chunks) => {
    for await (const _chunk of chunks);
  })
}

async function eachTable(
  reader: RowReader,
  tables: readonly CopiedTable[],
  onProgress: OnProgress,
  take: (
    table: CopiedTable,
    chunks: AsyncIterable<Chunk>,
    lastId: bigint | undefined,
  ) => Promise<void>,
): Promise<Digests> {
  const digests: Record<string, TableDigest> = {}
  let done = 0
  const onRows = (rows: number) => {
    done += rows
    onProgress(done)
  }
  for (const table of tables) {
    const digest = createDigest()
    const lastId = table.assignsIds ? await reader.lastId(table.name) : undefined
    await take(table, digest.passing(reader.read(table), onRows), lastId)
    digests[table.name] = { ...digest.result(), ...(lastId === undefined ? {} : { lastId }) }
  }
  return digests
}
