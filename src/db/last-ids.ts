/** The last assigned id by table. */
export type LastIds = Readonly<Record<string, bigint>>

const idMax = 2n ** 63n - 1n

/** The id so many above another, or the greatest that there is. */
export function idAbove(id: bigint, count: bigint): bigint {
  return id > idMax - count ? idMax : id + count
}

/**
 * How the last ids of a store are known: as they are stored in it; as its log or its witness tells, for a damaged one; or not
 * at all.
 */
export type IdSource = 'store' | 'traces' | 'none'

/** The highest id of each table. */
export function highestIds(all: readonly (LastIds | undefined)[]): Record<string, bigint> {
  const ids: Record<string, bigint> = {}
  for (const one of all) {
    for (const table in one) {
      const id = one[table] ?? 0n
      if (id > (ids[table] ?? -1n)) ids[table] = id
    }
  }
  return ids
}
