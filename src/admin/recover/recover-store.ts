import { type Recovered as OfFiles, recoverFiles } from '../../db/doors/recover.ts'
import type { Storage } from '../../db/storage.ts'
import { verifyFile } from '../backup/check-backup.ts'
import type { Result } from '../verify/verify-store.ts'

/** What was done with a damaged store, and what `verify` says of the new one. */
export type Recovered = OfFiles & { results: readonly Result[] }

/** As `recoverFiles`; verifies the new store before it takes the place of the damaged one. Throws OpenError. */
export async function recoverStore(
  storage: Storage,
  path: string,
  nowMs: number,
): Promise<Recovered | 'undone' | undefined> {
  let results: readonly Result[] = []
  const recovered = await recoverFiles(path, {
    storage,
    nowMs,
    async verify(file) {
      results = await verifyFile(storage, file, () => undefined)
      return !results.some(({ findings }) => findings.some((one) => one.forbidsRepairs))
    },
  })
  return typeof recovered === 'object' ? { ...recovered, results } : recovered
}
