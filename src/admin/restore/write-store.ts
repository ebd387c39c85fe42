import { copyStore } from '../../db/copying/copy-store.ts'
import type { Sql } from '../../db/db.ts'
import { changeClosedFile, explainFilling, writeClaim } from '../../db/doors/closed-file.ts'
import {
  type AssignedIds,
  type LastIds,
  raiseLastIds,
  readLastIds,
  unknownIdsMargin,
} from '../../db/schema/last-ids.ts'
import { openSqliteWriter } from '../../db/sqlite/copying/store-writer.ts'
import type { Storage } from '../../db/storage.ts'
import { type CheckedBackup, verifyIntact } from '../backup/check-backup.ts'
import { openBackup } from '../backup/open-backup.ts'
import { deleteMoved, upsertLastBackup } from '../backup/queries.ts'
import type { OnProgress } from '../progress.ts'

type RestoreRequest = {
  backup: string
  /** An empty file beside the place of the store. */
  file: string
  /** What the store gets that goes on where a last backup ended. */
  claim?: number | undefined
  /** Else ids up to these stay unused … */
  used: AssignedIds
  /** … and so many more of each table; without a number, a margin where it is not known which were assigned. */
  skippedIds: bigint | undefined
}

/** A store in a file that is verified but not synced. */
export type RestoredFile = CheckedBackup & { lastIds: LastIds; skippedIds: bigint }

/**
 * Makes a store of the rows of a backup. They are copied into the schema that the backup has by the migrations; derived columns
 * are generated anew. The store is of the schema of this program, and verified. Throws as `checkBackup`.
 */
export async function writeStore(
  storage: Storage,
  request: RestoreRequest,
  onProgress: OnProgress,
): Promise<RestoredFile> {
  const { backup: name, file } = request
  try {
    using backup = openBackup(storage, name)
    const { manifest, schema } = backup
    const filling = { last: schema, isRestore: true }
    const digests = await backup.read(
      (...rows) => copyStore(openSqliteWriter(file, filling), ...rows),
      onProgress,
    )
    const ids = await completeStore(storage, request, Date.parse(manifest.madeAt))
    const results = await verifyIntact(storage, file, name, onProgress)
    return { manifest, digests, results, ...ids }
  } catch (error) {
    throw explainFilling(error, { file, name, action: `restore ${name}` })
  }
}

/** Settles the ids and the log of a store; where power fails meanwhile, it is made again. */
async function completeStore(storage: Storage, request: RestoreRequest, madeAtMs: number) {
  const { backup, file, claim } = request
  return changeClosedFile(file, async (store) => {
    store.exec('begin')
    const skippedIds = claim === undefined ? await beginAnew(store, storage, request) : 0n
    if (claim !== undefined) writeClaim(store, claim)
    const madeAt = BigInt(madeAtMs)
    await upsertLastBackup(store, { madeAt, file: backup, now: madeAt })
    store.exec('commit')
    return { lastIds: await readLastIds(store, storage.tables), skippedIds }
  })
}

/** Makes a store a copy: with a log of its own, above all ids that may have been assigned. Returns how many more stay unused. */
async function beginAnew(
  store: Sql,
  storage: Storage,
  { used, skippedIds }: RestoreRequest,
): Promise<bigint> {
  await deleteMoved(store, storage.tables)
  const more = skippedIds ?? (await marginAbove(store, storage, used))
  await raiseLastIds(store, storage, { known: used.ids, more })
  return more
}

/** None where a whole store is replaced that has assigned what is in the backup: it tells all that was assigned since. */
async function marginAbove(
  store: Sql,
  { tables }: Storage,
  { ids, isExact }: AssignedIds,
): Promise<bigint> {
  const own = Object.entries(await readLastIds(store, tables))
  const isSuccessor = own.every(([table, id]) => (ids[table] ?? 0n) >= id)
  return isExact && isSuccessor ? 0n : unknownIdsMargin
}
