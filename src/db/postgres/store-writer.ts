import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Chunk, StoreWriter, TableShape } from '../copying/copying.ts'
import { explained } from './open-client.ts'
import { sqlOn } from './sql.ts'

/** Sorts the indexes of ten million rows in a few runs. */
const sortMemory = '256MB'

/** Begins the transaction; a broken connection rolls it back. */
export async function beginFilling(client: pg.Client, name: string): Promise<StoreWriter> {
  const indexes: string[] = []
  const filled: string[] = []
  const sql = sqlOn(client)

  await sql.command('begin isolation level read committed')
  await client.query(`set local maintenance_work_mem = '${sortMemory}'`)
  return {
    insert: (shape, chunks) =>
      explained(name, async () => {
        await client.query(`truncate ${shape.name} restart identity`)
        indexes.push(...(await dropIndexes(client, shape.name)))
        await insertRows(client, shape, chunks)
        filled.push(shape.name)
      }),
    skipIds: (table, last) => explained(name, () => sql.skipIds(table, last)),
    finish: () =>
      explained(name, async () => {
        for (const definition of indexes) await client.query(definition)
        for (const table of filled) await client.query(`analyze ${table}`)
        await sql.command('commit')
      }),
    // The connection holds the store until the end of the restore.
    close: async () => undefined,
  }
}

/** Drops the indexes that no constraint needs, and returns their definitions: created at the end they are sorted once. */
async function dropIndexes(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}

/** Rows that are frozen, since no other transaction has seen the emptied table, need no later maintenance. */
async function insertRows(
  client: pg.ClientBase,
  { name, columns }: TableShape,
  chunks: AsyncIterable<Chunk>,
): Promise<void> {
  const names = columns.map((column) => column.name).join(', ')
  const copying = client.query(copyFrom(`copy ${name} (${names}) from stdin with (freeze)`))
  await pipeline(Readable.from(linesOf(chunks)), copying)
}

async function* linesOf(chunks: AsyncIterable<Chunk>): AsyncGenerator<Buffer> {
  for await (const { lines } of chunks) yield lines
}
