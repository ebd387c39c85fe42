import type { Db } from '../../db/db.ts'
import { OpenError, Refusal } from '../../db/errors.ts'
import { type DatabaseAddress, openDbAsItIs } from '../../db/open.ts'
import { closing } from '../../db/opening/closing.ts'
import type { Check, Finding, Storage } from '../../db/storage.ts'
import type { OnProgress } from '../progress.ts'

/** The batch size of repairs: a concurrent write waits for one batch at most. */
const repairsAtOnce = 100

/** A check and its findings. */
export type Result = Pick<Check, 'name' | 'promise'> & { findings: readonly Finding[] }

/**
 * Runs every check and yields each result. Changes nothing, and does not block a running service. No finding has a
 * repair while the files are damaged.
 */
export async function* verifyStore(
  { db }: { db: Pick<Db, 'scan'> },
  checks: readonly Check[],
): AsyncGenerator<Result> {
  let isSound = true
  let hasFindings = false
  for (const { name, promise, scan } of checks) {
    const found = await db.scan(scan, undefined).catch((error) => unreadable(error, hasFindings))
    if (found.length > 0) hasFindings = true
    if (found.some(({ forbidsRepairs }) => forbidsRepairs)) isSound = false
    const findings = isSound ? found : found.map((finding) => ({ ...finding, repair: null }))
    yield { name, promise, findings }
  }
}

/** As `verifyStore`, to its end. */
export async function verifyAll(
  db: Pick<Db, 'scan'>,
  checks: readonly Check[],
  onProgress: OnProgress,
): Promise<Result[]> {
  const results: Result[] = []
  onProgress({ unit: 'checks', done: 0, total: checks.length })
  for await (const result of verifyStore({ db }, checks)) {
    results.push(result)
    onProgress({ unit: 'checks', done: results.length, total: checks.length })
  }
  return results
}

/** What `verify` says of a store that this process holds, whether it is marked or not. Throws OpenError. */
export async function verifyHeld(
  storage: Storage,
  database: DatabaseAddress,
  onProgress: OnProgress = () => undefined,
): Promise<Result[]> {
  const options = { storage, admitsMarked: true, isHeld: true }
  await using db = closing(await openDbAsItIs(database, options))
  return await verifyAll(db, storage.checks, onProgress)
}

/** Runs the repairs of these findings. Each checks again first, and does nothing where the fault is gone, or refuses. */
export async function repairStore(
  { db }: { db: Pick<Db, 'write'> },
  checks: readonly Check[],
  results: readonly Result[],
): Promise<void> {
  for (const { name, findings } of results) {
    const transaction = checks.find((check) => check.name === name)?.repair
    const records = findings.flatMap(({ record, repair }) => (record && repair ? [record] : []))
    if (!transaction) continue
    for (let first = 0; first < records.length; first += repairsAtOnce) {
      const some = records.slice(first, first + repairsAtOnce)
      const done = await Promise.allSettled(some.map((record) => db.write(transaction, record)))
      for (const one of done)
        if (one.status === 'rejected' && !(one.reason instanceof Refusal)) throw one.reason
    }
  }
}

/** A check that meets damage in the file, a damaged row or a damaged schema reports it as a finding. */
function unreadable(error: unknown, hasFindings: boolean): readonly Finding[] {
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
  const isDamaged = error instanceof OpenError && error.reason === 'damaged'
  const isSchemaDamaged = /\bno such (?:table|column)\b/.test(message)
  // An earlier finding may be of the value that this check fails on; else it is a bug.
  if (!isDamaged && !isSchemaDamaged && !hasFindings) throw error
  return [
    {
      record: null,
      message: `This check failed: ${message}`,
      repair: null,
      forbidsRepairs: true,
    },
  ]
}
