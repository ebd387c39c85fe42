import type { Column, Row } from '../db.ts'
import type { StoreMark } from '../schema/store-mark.ts'

/** A table as the migrations make it. */
export type TableShape = {
  name: string
  /** In the order of the migrations, without the generated ones. */
  columns: readonly Column[]
  /** Those that the database generates from others. */
  generated: readonly string[]
  /** The columns of its primary key. */
  key: readonly string[]
}

/** Whole lines of the COPY text format (`copy-text.ts`), one for each row; `values`: the same rows, where they were read so. */
export type Chunk = { rows: number; lines: Buffer; values?: readonly Row[] }

/** A store as it is at one moment, in all of its tables. */
export type StoreReader = RowReader & { close(): Promise<void> }

export type RowReader = {
  count(shape: TableShape): Promise<number>
  /** All rows in the order of their key; without the columns that the database generates. */
  read(shape: TableShape): AsyncIterable<Chunk>
  /** The last id that a table has assigned; 0 before the first. */
  lastId(table: string): Promise<bigint>
}

/** A new store while it is filled. Until `finish` nothing of it counts. */
export type StoreWriter = {
  /** Fills a table, replacing the rows that the migrations inserted. */
  insert(shape: TableShape, chunks: AsyncIterable<Chunk>): Promise<void>
  /** Makes a table assign only ids above this one. */
  skipIds(table: string, last: bigint): Promise<void>
  /** Creates the indexes, applies later migrations, and makes everything durable. */
  finish(): Promise<void>
  /** Releases the store. Without `finish` before, there is nothing in it. */
  close(): Promise<void>
}

/** A store that no other process serves meanwhile. */
export type HeldStore = {
  mark: StoreMark | undefined
  /** Sets or removes the mark, durably. While there is one, nobody writes to the store. */
  setMark(mark: StoreMark | undefined): Promise<void>
  close(): Promise<void>
}
