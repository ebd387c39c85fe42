import type { Context, FileContext } from '../context/context.ts'
import type { FileContent } from '../contract/content.ts'
import { sheetTypes } from '../contract/sheets.ts'
import type { Query, Scan, Write } from '../db/db.ts'
import type { ExportInput } from '../db/lists/export.ts'
import {
  type AnyPage,
  type ListRequest,
  type ListStatements,
  type Page,
  readPage,
} from '../db/lists/page.ts'
import { notFound } from './refuse.ts'

/** The verb that returns a page of a list, with the count of all matches on request. Throws `unavailable`. */
export function listBy<Filter, Item>(statements: ListStatements<Filter, Item>) {
  return ({ db }: Context, request: ListRequest<Filter, AnyPage>): Promise<Page<Item>> =>
    readPage(db, statements, request)
}

/** The verb that returns one record by its id. Throws `not_found`, which `missing` makes. */
export function getBy<Item>(
  query: Query<bigint, Item | undefined>,
  record: string,
  missing = notFound,
) {
  return async ({ db }: Pick<Context, 'db'>, id: bigint): Promise<Item> => {
    const item = await db.read(query, id)
    if (item === undefined) throw missing(record, id)
    return item
  }
}

/** The verb that adds a record by one write. Resolves only once it is durable. */
export function createBy<New, Item>(write: Write<New, Item>) {
  return ({ db }: Pick<Context, 'db'>, body: New): Promise<Item> => db.write(write, body)
}

/** The verb that is one write, of the input of its operation, or the `id`, and the time. Resolves only once it is durable. */
export function writeBy<Input, Value>(write: Write<Input, Value>) {
  return (
    { db, clock }: Pick<Context, 'db' | 'clock'>,
    input: Omit<Input, 'now'> | bigint,
  ): Promise<Value> => {
    const parts = typeof input === 'bigint' ? { id: input } : input
    return db.write(write, { ...parts, now: clock() } as Input)
  }
}

/** The filters and the order of a list, and how its records are to be written. */
type ExportRequest<Filter> = {
  query: Filter & { sort?: 'id' | '-id' }
  mediaType: (typeof sheetTypes)[keyof typeof sheetTypes]
}

/**
 * The verb that returns all records that match, of one moment, as a file: they are read to their end first, so that a slow
 * client holds no snapshot. Throws `unavailable`.
 */
export function exportBy<Filter>(name: string, scan: Scan<ExportInput<Filter>, string>) {
  return async (
    { db, clock, openSpool, ended }: FileContext,
    { query: { sort = 'id', ...filter }, mediaType }: ExportRequest<Filter>,
  ): Promise<FileContent> => {
    ended.throwIfAborted()
    const spool = openSpool()
    ended.addEventListener('abort', spool.close)
    const tag = await spool.fill((file) =>
      db.scan(scan, { filter: filter as Filter, sort, format: mediaType, file }),
    )
    const isCsv = mediaType === sheetTypes.csv
    const date = new Date(clock()).toISOString().slice(0, 10)
    return {
      mediaType: isCsv ? `${mediaType}; charset=utf-8` : mediaType,
      sizeBytes: spool.sizeBytes(),
      tag,
      name: `${name}-${date}.${isCsv ? 'csv' : 'ndjson'}`,
      read: spool.read,
    }
  }
}
