import { copyStore } from '../../db/copying/copy-store.ts'
import { changeClosedFile, explainFilling } from '../../db/doors/closed-file.ts'
import { type LastIds, raiseLastIds } from '../../db/last-ids.ts'
import { openSqliteWriter } from '../../db/sqlite/copying/store-writer.ts'
import type { Storage } from '../../db/storage.ts'
import { type CheckedBackup, verifyIntact } from '../backup/check-backup.ts'
import { openBackup } from '../backup/open-backup.ts'
import { upsertLastBackup } from '../backup/queries.ts'
import type { OnProgress } from '../progress.ts'

type RestoreRequest = {
  backup: string
  /** An empty file beside the place of the store. */
  file: string
  /** Ids up to these stay unused … */
  usedIds: LastIds
  /** … and so many more of each table. */
  skippedIds: bigint
}

/** A store in a file that is verified but not synced. */
export type RestoredFile = CheckedBackup & { lastIds: LastIds }

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
    const { manifest } = backup
    const filling = { last: manifest.schema, isRestore: true }
    const digests = await backup.read(
      (...rows) => copyStore(openSqliteWriter(file, storage, filling), ...rows),
      onProgress,
    )
    const lastIds = await completeStore(storage, request, Date.parse(manifest.madeAt))
    const results = await verifyIntact(storage, file, name, onProgress)
    return { manifest, digests, results, lastIds }
  } catch (error) {
    throw explainFilling(error, { file: name, name, action: `restore ${name}` })
  }
}

/** Upgrades a store, and raises its last ids; where power fails meanwhile, it is made again. */
async function completeStore(
  storage: Storage,
  { backup, file, usedIds, skippedIds }: RestoreRequest,
  madeAtMs: number,
): Promise<LastIds> {
  return changeClosedFile(
    file,
    async (store) => {
      store.exec('begin')
      const raised = { known: usedIds, more: skippedIds }
      const lastIds = await raiseLastIds(store, storage, raised)
      const madeAt = BigInt(madeAtMs)
      await upsertLastBackup(store, { madeAt, file: backup, now: madeAt })
      store.exec('commit')
      return lastIds
    },
    storage,
  )
}
