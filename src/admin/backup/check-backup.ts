import { filesStorage } from '../../db/checks/files.ts'
import { schemaStorage } from '../../db/checks/schema.ts'
import { countRows, digestStore } from '../../db/copying/copy-store.ts'
import type { Digests } from '../../db/copying/digests.ts'
import { openClosedFile } from '../../db/doors/closed-file.ts'
import { OpenError } from '../../db/errors.ts'
import type { Check, Storage } from '../../db/storage.ts'
import { type OnProgress, ofRows } from '../progress.ts'
import { type Result, verifyAll } from '../verify/verify-store.ts'
import { isCurrentSchema } from './current-schema.ts'
import type { Manifest } from './manifest.ts'
import { openBackup } from './open-backup.ts'

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
  const { manifest, tables } = backup
  const reader = backup.readRows()
  const onRows = ofRows(await countRows(reader, tables), onProgress)
  const digests = await digestStore(reader, tables, onRows)
  backup.requireDigests(digests)
  const isCurrent = isCurrentSchema(manifest.schema)
  const results = await verifyFile(storage, file, { isCurrent }, onProgress)
  requireIntact(results, file)
  return { manifest, digests, results }
}

/** The schema of a backup, which has a table more than a store, is compared when the backup is opened. */
const isOfSchema = (check: Check) => schemaStorage.checks.includes(check)

/** What `verify` says of a file that nobody changes. Of an older schema only the file itself is checked. */
export async function verifyFile(
  storage: Storage,
  file: string,
  { isCurrent }: { isCurrent: boolean },
  onProgress: OnProgress,
): Promise<Result[]> {
  const checks = isCurrent
    ? storage.checks.filter((check) => !isOfSchema(check))
    : filesStorage.checks
  using opened = openClosedFile(file, storage.scans)
  return await verifyAll(opened, checks, onProgress)
}

/** Throws `damaged` for damage of a file. Other findings are the store's own: a repair can be made later. */
export function requireIntact(results: readonly Result[], subject: string): void {
  const damage = results.flatMap(({ findings }) => findings).find((one) => one.forbidsRepairs)
  if (damage !== undefined) {
    throw new OpenError('damaged', `${subject} cannot be used. ${damage.message}`)
  }
}
