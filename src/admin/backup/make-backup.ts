import { closeSync, openSync, rmSync } from 'node:fs'
import { storage } from '../../app/storage.ts'
import type { Environment } from '../../config/settings.ts'
import { OpenError } from '../../db/errors.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import { type CheckedBackup, isCurrent } from './check-backup.ts'
import { placeFile } from './place-file.ts'
import type { OnProgress } from './progress.ts'
import { insertLastBackup } from './queries.ts'
import { deleteUnfinished, type Target } from './target.ts'
import { runInThread } from './thread-client.ts'
import { watchFile } from './watch-file.ts'

type Request = {
  source: DatabaseAddress
  environment: Environment
  target: Target
  program: string
  madeAtMs: number
}

/**
 * Makes a backup of a store, beside the services that serve it. The file gets its name once it is complete, verified and
 * synced. Until then it has a temporary one, under which a failure deletes it. Throws OpenError, ExitError.
 */
export async function makeBackup(
  { source, environment, target, program, madeAtMs }: Request,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  const { file: name, temporary: file } = target
  const descriptor = explained(name, () => {
    deleteUnfinished(target, environment)
    // Digests of keys are in it.
    return openSync(file, 'wx', 0o600)
  })
  let total: number | undefined
  const stopWatching = watchFile(descriptor, (size) => {
    if (total !== undefined) onProgress({ unit: 'bytes', done: Math.min(size, total), total })
  })
  try {
    const madeAt = new Date(madeAtMs).toISOString()
    const request = { source, environment, file, name, program, madeAt }
    const backup = await runInThread({ name: 'write', request }, (progress) => {
      total = progress.unit === 'bytes' ? progress.total : undefined
      onProgress(progress)
    })
    explained(name, () => placeFile(file, name))
    return backup
  } catch (error) {
    deleteTemporary(target)
    throw error
  } finally {
    await stopWatching()
    closeSync(descriptor)
  }
}

/** Deletes the unfinished file, also while it is written. */
export function deleteTemporary({ temporary }: Target): void {
  for (const ending of ['', '-journal']) rmSync(temporary + ending, { force: true })
}

/**
 * Records a backup in its store. A store of an older schema has no place for it. Throws OpenError, and errors of the
 * write.
 */
export async function recordBackup(
  { source, target, madeAtMs }: Pick<Request, 'source' | 'target' | 'madeAtMs'>,
  { manifest }: CheckedBackup,
): Promise<void> {
  if (!isCurrent(manifest)) return
  const db = await openDbAsItIs(source, {
    storage,
    storageUrl: '',
    warn: () => undefined,
    onLost: () => undefined,
  })
  try {
    await db.write(insertLastBackup, { madeAt: BigInt(madeAtMs), file: target.file })
  } finally {
    await db.close()
  }
}

function explained<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(code)
    throw new OpenError(
      isForbidden ? 'noPermission' : 'ioError',
      `${name} cannot be written: ${message}.`,
      error,
    )
  }
}
