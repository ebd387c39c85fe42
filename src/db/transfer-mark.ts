import type { Row, Sql } from './db.ts'
import { configurationError } from './errors.ts'
import { defineStorage } from './storage.ts'

/**
 * Why a store is not served: its contents have `left` for another store, or are still `arriving` from one. `transfer`
 * is the same in both stores; `peer` names the other one, without user and password.
 */
export type TransferMark = {
  state: 'left' | 'arriving'
  transfer: string
  peer: string
  /** In milliseconds since 1970. */
  markedAt: number
}

/** The `transfer` of a store whose contents arrive from a backup. */
export const restoreMark = 'restore'

/** The table has one row at most. */
export const transferMarkTable = 'transfer_mark'

export const transferMarkStorage = defineStorage({
  tables: [{ name: transferMarkTable, survivesReset: true, isLocal: true }],
})

type MarkRow = [TransferMark['state'], string, string, bigint]

const selectText = `select state, transfer, peer, marked_at from ${transferMarkTable}`

export async function selectMark(sql: Pick<Sql, 'all'>): Promise<TransferMark | undefined> {
  const [row] = await sql.all<MarkRow>(selectText)
  return row && markOf(row)
}

/** As `selectMark`, where statements are not awaited. */
export function readMark(sql: { all(text: string): Row[] }): TransferMark | undefined {
  const [row] = sql.all(selectText)
  return row && markOf(row as MarkRow)
}

/** Replaces the mark of a store; `undefined` removes it. */
export async function writeMark(
  { all }: Pick<Sql, 'all'>,
  mark: TransferMark | undefined,
): Promise<void> {
  await all(`delete from ${transferMarkTable}`)
  if (!mark) return
  await all(
    `insert into ${transferMarkTable} (id, state, transfer, peer, marked_at) values (1, ?1, ?2, ?3, ?4)`,
    [mark.state, mark.transfer, mark.peer, BigInt(mark.markedAt)],
  )
}

/** Throws `configuration` for a marked store. */
export function requireUnmarked(mark: TransferMark | undefined, name: string): void {
  if (mark === undefined) return
  const { state, transfer, peer, markedAt } = mark
  const day = new Date(markedAt).toISOString().slice(0, 10)
  if (transfer === restoreMark) {
    throw configurationError(
      `${name} is being restored from ${peer}; that began on ${day} and has not ended, so it is not used yet. Run petstore restore again: it begins anew.`,
    )
  }
  throw configurationError(
    state === 'left'
      ? `${name} was transferred to ${peer} on ${day}. It is not used any more, so that nobody writes to both. Use ${peer}; or take this store back as it was then: petstore transfer --release${fromOf(name)}.`
      : `${name} is the target of a transfer from ${peer} that began on ${day} and has not ended, so it is not used yet. Run petstore transfer again: it begins anew.`,
  )
}

/** The option that names a file; an address of PostgreSQL without its password would not do. */
function fromOf(name: string): string {
  return /^postgres(?:ql)?:/.test(name) ? '' : ` --from sqlite:${name}`
}

function markOf([state, transfer, peer, markedAt]: MarkRow): TransferMark {
  return { state, transfer, peer, markedAt: Number(markedAt) }
}
