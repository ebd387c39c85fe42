import type { Row, Sql } from '../db.ts'
import { configurationError } from '../errors.ts'
import { defineStorage } from '../storage.ts'

/** Why a store is not served: its contents have `left` for a backup, or are still `arriving` from one. */
export type StoreMark = {
  state: 'left' | 'arriving'
  /** Names the move while the backup of a store that leaves is not complete, then empty; or the restore. */
  id: string
  /** The file of the backup. */
  peer: string
  /** In milliseconds since 1970. */
  markedAt: number
}

/** The `id` of a store whose contents arrive as a copy. */
export const restoreMark = 'restore'

/** The table has one row at most. A migration named it. */
export const storeMarkTable = 'transfer_mark'

export const storeMarkStorage = defineStorage({
  tables: [{ name: storeMarkTable, survivesReset: true, isLocal: true }],
})

type MarkRow = [StoreMark['state'], string, string, bigint]

const selectText = `select state, transfer, peer, marked_at from ${storeMarkTable}`

export async function selectMark(sql: Pick<Sql, 'all'>): Promise<StoreMark | undefined> {
  const [row] = await sql.all<MarkRow>(selectText)
  return row && markOf(row)
}

/** As `selectMark`, where statements are not awaited. */
export function readMark(sql: { all(text: string): Row[] }): StoreMark | undefined {
  const [row] = sql.all(selectText)
  return row && markOf(row as MarkRow)
}

/** Replaces the mark of a store; `undefined` removes it. */
export async function writeMark(
  { all }: Pick<Sql, 'all'>,
  mark: StoreMark | undefined,
): Promise<void> {
  await all(`delete from ${storeMarkTable}`)
  if (!mark) return
  await all(
    `insert into ${storeMarkTable} (id, state, transfer, peer, marked_at) values (1, ?1, ?2, ?3, ?4)`,
    [mark.state, mark.id, mark.peer, BigInt(mark.markedAt)],
  )
}

/** Throws `configuration` for a marked store. */
export function requireUnmarked(mark: StoreMark | undefined, name: string): void {
  if (mark === undefined) return
  const { state, id, peer, markedAt } = mark
  const day = new Date(markedAt).toISOString().slice(0, 10)
  if (state === 'arriving') {
    throw configurationError(
      `${name} is being restored from ${peer}; that began on ${day} and has not ended, so it is not used yet. Run petstore restore again: it begins anew, or completes what is left.`,
    )
  }
  const what =
    id === ''
      ? `was moved to the backup ${peer} on ${day}. It is not used any more, so that nobody writes to two stores. Restore that backup elsewhere`
      : `is being moved to the backup ${peer}; that began on ${day} and has not ended. Run petstore backup ${peer} --last again`
  throw configurationError(
    `${name} ${what}; or take this store back as it was then: petstore backup --release.`,
  )
}

function markOf([state, id, peer, markedAt]: MarkRow): StoreMark {
  return { state, id, peer, markedAt: Number(markedAt) }
}
