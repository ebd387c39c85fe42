import { highestIds, type LastIds } from '../../schema/last-ids.ts'
import type { Connection } from '../connection.ts'

/**
 * The row of `sqlite_sequence` with the store's id and its number of commits: `store:` and 32 hexadecimal digits, and the
 * number. Each create writes that page anyway, so counting commits adds no page to the log.
 */
export type StoreRow = {
  store: string
  commits: bigint
  /** The last assigned id of each table. */
  ids: LastIds
  /** Its number is in two sectors of the disk, so a power cut during a write may have mixed two numbers. */
  isTorn?: boolean
}

const storeName = /^store:[\da-f]{32}$/

/** The row of the store; `undefined` where no commit has been counted yet. */
export function selectStoreRow(connection: Connection): StoreRow | undefined {
  const tables = connection.all("select 1 from sqlite_schema where name = 'sqlite_sequence'")
  if (tables.length === 0) return undefined
  const [row] = connection.all<[string | null]>(
    "select group_concat(name || ' ' || seq, char(10)) from sqlite_sequence",
  )
  return parseStoreRow(row?.[0] ?? '')
}

/**
 * Makes a file that was just copied or made a store of its own, complete without a log: the next process that writes to it
 * gives it a new id, so no witness of another store is compared with it.
 */
export function forgetStore(connection: Connection): void {
  connection.exec("delete from sqlite_sequence where name glob 'store:*'")
}

/** The lines `NAME NUMBER` of `sqlite_sequence`; `undefined` where the row of the store is missing. */
export function parseStoreRow(text: string): StoreRow | undefined {
  const entries = text.split('\n').flatMap((line): [string, bigint][] => {
    const [, name, number] = /^(\S+) (\d{1,19})$/.exec(line) ?? []
    return name === undefined || number === undefined ? [] : [[name, BigInt(number)]]
  })
  return storeRowOf(entries)
}

/** The row of the store among those of `sqlite_sequence`. */
export function storeRowOf(entries: readonly [string, bigint][]): StoreRow | undefined {
  const own = entries.find(([name]) => isStoreName(name))
  if (!own) return undefined
  const ids = Object.fromEntries(entries.filter((entry) => entry !== own))
  return { store: own[0], commits: own[1], ids }
}

export function isStoreName(name: string): boolean {
  return storeName.test(name)
}

/** The later of two rows of one store, with the highest ids of both. */
export function latestRow(
  one: StoreRow | undefined,
  other: StoreRow | undefined,
): StoreRow | undefined {
  if (!one || !other || one.store !== other.store) return one ?? other
  const later = one.commits < other.commits ? other : one
  return { ...later, ids: highestIds([one.ids, other.ids]) }
}
