import { isDeepStrictEqual } from 'node:util'
import type { Environment } from '../../config/settings.ts'
import { countRows, digestStore } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { changeClosedFile, markAsBackup, openClosedFile } from '../../db/doors/closed-file.ts'
import { explainFilling } from '../../db/doors/explain-filling.ts'
import { tablesAt } from '../../db/doors/tables-at.ts'
import { OpenError } from '../../db/errors.ts'
import type { DatabaseAddress } from '../../db/open.ts'
import type { Storage } from '../../db/storage.ts'
import { type OnProgress, ofRows } from '../progress.ts'
import { type CheckedBackup, requireIntact, verifyFile } from './check-backup.ts'
import { copySource } from './copy-source.ts'
import { isCurrentSchema } from './current-schema.ts'
import { encodeDigests, entriesOf, type Manifest } from './manifest.ts'
import { openManifest } from './open-backup.ts'
import { insertManifest, selectOwner, selectSchema } from './queries.ts'

type WriteRequest = {
  source: DatabaseAddress
  environment: Environment
  /** An empty file, and the name that the backup will have, for messages. */
  file: string
  name: string
  program: string
  madeAt: string
}

/**
 * Writes a backup of a store, beside the services that serve it, then reads it back and verifies it. It is not synced.
 * Only reads the store. Throws OpenError.
 */
export async function writeBackup(
  storage: Storage,
  request: WriteRequest,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const { source, file, name } = request
  try {
    const read = await copySource(storage, request, onProgress)
    const { manifest, digests } = await describeCopy(storage, request, read, onProgress)
    // From here on nothing is written: what is verified is what takes the name.
    requireEqual(isDeepStrictEqual(openManifest(storage, file), manifest), name)
    const isCurrent = isCurrentSchema(manifest.schema)
    const results = await verifyFile(storage, file, { isCurrent }, onProgress)
    requireIntact(results, `The copy of ${source.name}`)
    return { manifest, digests, results }
  } catch (error) {
    throw explainFilling(error, { file, name, action: `write ${name}` })
  }
}

/** Makes a copy of a store a backup: adds the manifest. `read` are the digests of the source, where it has some. */
async function describeCopy(
  storage: Storage,
  { source, file, name, program, madeAt }: WriteRequest,
  read: Digests | undefined,
  onProgress: OnProgress,
): Promise<Pick<CheckedBackup, 'manifest' | 'digests'>> {
  using copy = openClosedFile(file)
  const schema = selectSchema(copy)
  const tables = tablesAt(storage, schema)
  const onRows = ofRows(await countRows(copy, tables), onProgress)
  const digests = await digestStore(copy, tables, onRows)
  if (read) requireEqual(isDeepStrictEqual(digests, read), name)
  const manifest: Manifest = {
    program,
    schema,
    environment: selectOwner(copy, tables),
    madeAt,
    engine: source.engine,
    digests: encodeDigests(digests),
  }
  await changeClosedFile(file, (backup) => {
    backup.exec('begin')
    insertManifest(backup, entriesOf(manifest))
    markAsBackup(backup)
    backup.exec('commit')
  })
  return { manifest, digests }
}

function requireEqual(isEqual: boolean, name: string) {
  if (!isEqual) throw new OpenError('ioError', `${name} would not hold what was written to it.`)
}
