import { copyStore, countRows } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { changeClosedFile } from '../../db/doors/closed-file.ts'
import { explainFilling } from '../../db/doors/explain-filling.ts'
import { openStoreWriter } from '../../db/doors/open.ts'
import { idAbove, type LastIds } from '../../db/last-ids.ts'
import type { Storage } from '../../db/storage.ts'
import { type CheckedBackup, verifyIntact } from '../backup/check-backup.ts'
import { type Backup, openBackup } from '../backup/open-backup.ts'
import { recordBackup } from '../backup/queries.ts'
import { type OnProgress, ofRows } from '../progress.ts'

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
 * Makes a store of the rows of a backup. Its schema is that of the migrations; derived columns are generated anew.
 * The store is of the schema of this program, and verified. Throws as `checkBackup`.
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
    const digests = await copyRows(storage, backup, file, onProgress)
    backup.requireDigests(digests)
    const lastIds = await completeStore(storage, request, Date.parse(manifest.madeAt))
    const results = await verifyIntact(storage, file, name, onProgress)
    return { manifest, digests, results, lastIds }
  } catch (error) {
    throw explainFilling(error, { file: name, name, action: `restore ${name}` })
  }
}

/** Copies the rows into a new store of the schema of the backup. */
async function copyRows(
  storage: Storage,
  { manifest, tables, readRows }: Backup,
  file: string,
  onProgress: OnProgress,
): Promise<Digests> {
  const reader = readRows()
  const onRows = ofRows(await countRows(reader, tables), onProgress)
  const store = { engine: 'sqlite', path: file, name: file } as const
  const writer = await openStoreWriter(store, storage, { last: manifest.schema, isRestore: true })
  try {
    const digests = await copyStore(reader, writer, tables, onRows)
    await writer.finish()
    return digests
  } finally {
    await writer.close()
  }
}

/** Upgrades a store, and raises its last ids; where power fails meanwhile, it is made again. */
async function completeStore(
  storage: Storage,
  { backup, file, usedIds, skippedIds }: RestoreRequest,
  madeAtMs: number,
): Promise<LastIds> {
  const lastIds: Record<string, bigint> = {}
  await changeClosedFile(
    file,
    async (store) => {
      store.exec('begin')
      const numbered = storage.tables.filter(({ assignsIds }) => assignsIds)
      for (const { name } of numbered) {
        const own = await store.lastId(name)
        const used = usedIds[name] ?? 0n
        await store.skipIds(name, idAbove(used > own ? used : own, skippedIds))
      }
      await storage.log?.restart(store)
      for (const { name } of numbered) lastIds[name] = await store.lastId(name)
      const madeAt = BigInt(madeAtMs)
      await recordBackup(store, { madeAt, file: backup, now: madeAt })
      store.exec('commit')
    },
    storage,
  )
  return lastIds
}
