import { filesStorage, schemaStorage } from '../../db/checks/storage.ts'
import { type Digests, digestStore } from '../../db/copying/copy-store.ts'
import { openClosedFile } from '../../db/doors/closed-file.ts'
import { damagedError } from '../../db/errors.ts'
import { currentSchema } from '../../db/schema/migrate.ts'
import type { Check, Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'
import { type Result, verifyAll } from '../verify/verify-store.ts'
import type { Manifest } from './manifest.ts'
import { openBackup } from './open-backup.ts'
import { selectSchema } from './queries.ts'

/** A backup that is what was written, and what `verify` says of it. */
export type CheckedBackup = { manifest: Manifest; digests: Digests; results: readonly Result[] }

/**
 * Reads a whole backup: every row against the digests of its manifest, and what `verify` checks. Changes nothing. Throws
 * `damaged`, `newerSchema`, `configuration`; `usage` where there is no file.
 */
export async function checkBackup(
  storage: Storage,
  file: string,
  onProgress: OnProgress,
): Promise<CheckedBackup> {
  using backup = openBackup(storage, file)
  const digests = await backup.read(digestStore, onProgress)
  return {
    manifest: backup.manifest,
    digests,
    results: await verifyIntact(storage, file, file, onProgress),
  }
}

/** The schema of a backup, which has a table more than a store, is compared when the backup is opened. */
const isOfSchema = (check: Check) => schemaStorage.checks.includes(check)

/** What `verify` says of a file that nobody changes. Of an older schema only the file itself is checked. */
export async function verifyFile(
  storage: Storage,
  file: string,
  onProgress: OnProgress,
): Promise<Result[]> {
  using opened = openClosedFile(file, storage.scans)
  const isCurrent = selectSchema(opened) === currentSchema()
  const checks = isCurrent
    ? storage.checks.filter((check) => !isOfSchema(check))
    : filesStorage.checks
  return await verifyAll(opened, checks, onProgress)
}

/** As `verifyFile`. Throws `damaged` for damage of the file. Other findings are the store's own: a repair can be made later. */
export async function verifyIntact(
  storage: Storage,
  file: string,
  subject: string,
  onProgress: OnProgress,
): Promise<Result[]> {
  const results = await verifyFile(storage, file, onProgress)
  const damage = results.flatMap(({ findings }) => findings).find((one) => one.forbidsRepairs)
  if (damage === undefined) return results
  throw damagedError(`${subject} cannot be used. ${damage.message}`)
}
