import { storage } from '../../app/storage.ts'
import type { Db } from '../../db/db.ts'
import { OpenError } from '../../db/errors.ts'
import type { Check, Finding } from '../../db/storage.ts'

/** A check and its findings. */
export type Result = Pick<Check, 'name' | 'promise'> & { findings: readonly Finding[] }

/**
 * Runs every check and yields each result. Changes nothing, and does not block a running service. No finding has a
 * repair while the files are damaged.
 */
export async function* verifyStore(
  { db }: { db: Pick<Db, 'scan'> },
  checks: readonly Check[] = storage.checks,
): AsyncGenerator<Result> {
  let isSound = true
  for (const { name, promise, scan } of checks) {
    const found = await db.scan(scan, undefined).catch(unreadable)
    if (found.some(({ forbidsRepairs }) => forbidsRepairs)) isSound = false
    const findings = isSound ? found : found.map((finding) => ({ ...finding, repair: null }))
    yield { name, promise, findings }
  }
}

/** A check that meets damage in the file reports it as a finding. */
function unreadable(error: unknown): readonly Finding[] {
  if (!(error instanceof OpenError && error.reason === 'damaged')) throw error
  return [
    {
      record: null,
      message: `This check failed: ${error.message}`,
      repair: null,
      forbidsRepairs: true,
    },
  ]
}
