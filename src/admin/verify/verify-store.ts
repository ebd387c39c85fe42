import { storage } from '../../app/storage.ts'
import type { Context } from '../../context/context.ts'
import { OpenError } from '../../db/errors.ts'
import type { Check, Finding } from '../../db/storage.ts'

/** What a check has found. */
export type Result = Pick<Check, 'name' | 'promise'> & { findings: readonly Finding[] }

/**
 * Makes every check and gives its result as soon as it is there. Changes nothing, and does not disturb a running service.
 * Where the files are damaged, no finding names a repair.
 */
export async function* verifyStore({ db }: Pick<Context, 'db'>): AsyncGenerator<Result> {
  let isSound = true
  for (const { name, promise, scan } of storage.checks) {
    const found = await db.scan(scan, undefined).catch(unreadable)
    if (found.some(({ forbidsRepairs }) => forbidsRepairs)) isSound = false
    const findings = isSound ? found : found.map((finding) => ({ ...finding, repair: null }))
    yield { name, promise, findings }
  }
}

/** Where the file is damaged a check may come upon it: that is a finding like others. */
function unreadable(error: unknown): readonly Finding[] {
  if (!(error instanceof OpenError && error.reason === 'damaged')) throw error
  return [
    {
      record: null,
      message: `This could not be looked at: ${error.message}`,
      repair: null,
      forbidsRepairs: true,
    },
  ]
}
