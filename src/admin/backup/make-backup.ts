import type { Environment } from '../../config/settings.ts'
import { explainWriting } from '../../db/files/explain-writing.ts'
import { placeFile } from '../../db/files/place-file.ts'
import { currentSchema } from '../../db/migrate.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import type { Declared, Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import type { CheckedBackup } from './check-backup.ts'
import { insertLastBackup } from './queries.ts'
import { deleteLeft, type Target } from './target.ts'
import { fillFile } from './unfinished.ts'

type Request = {
  source: DatabaseAddress
  environment: Environment
  target: Target
  program: string
  madeAtMs: number
}

/**
 * Makes a backup of a store, beside the services that serve it. The file gets its name once it is complete, verified and
 * synced. Until then it has another one, under which a failure deletes it. Throws OpenError, ExitError.
 */
export async function makeBackup(
  declared: Declared,
  { source, environment, target, program, madeAtMs }: Request,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const { file: name, unfinished: file } = target
  explainWriting(name, () => deleteLeft(target, environment))
  const madeAt = new Date(madeAtMs).toISOString()
  const request = { source, environment, file, name, program, madeAt }
  const backup = await fillFile(declared, file, { name: 'write', input: request }, onProgress)
  explainWriting(name, () => placeFile(file, name))
  return backup
}

/**
 * Records a backup in its store. A store of an older schema has no place for it. Throws OpenError, and errors of the
 * write.
 */
export async function recordBackup(
  storage: Storage,
  { source, target, madeAtMs }: Pick<Request, 'source' | 'target' | 'madeAtMs'>,
  { manifest }: CheckedBackup,
  nowMs: number,
): Promise<void> {
  if (manifest.schema !== currentSchema()) return
  const db = await openDbAsItIs(source, { storage })
  const backup = { madeAt: BigInt(madeAtMs), file: target.file, now: BigInt(nowMs) }
  await db.write(insertLastBackup, backup).finally(() => db.close())
}
