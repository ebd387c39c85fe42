import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Chunk } from './copying.ts'

/** What two copies of a table have in common: the SHA-256 of its rows as `StoreReader` reads them, and its last id. */
export type TableDigest = { rows: number; sha256: string; lastId?: bigint }
export type Digests = Readonly<Record<string, TableDigest>>

/** Hashes chunks as they pass. */
export function createDigest() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    async *passing(chunks: AsyncIterable<Chunk>, onRows: (rows: number) => void) {
      for await (const chunk of chunks) {
        hash.update(chunk.lines)
        rows += chunk.rows
        onRows(chunk.rows)
        yield chunk
      }
    },
    result: (): TableDigest => ({ rows, sha256: hash.digest('hex') }),
  }
}

type ByTable = Readonly<Record<string, unknown>>

/** The tables that differ. */
export function differences(one: ByTable, other: ByTable): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => !isDeepStrictEqual(one[name], other[name])).sort()
}
