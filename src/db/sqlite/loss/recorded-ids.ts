import { highestIds } from '../../last-ids.ts'
import type { FileState } from './find-loss.ts'

/** Where the files may not tell of the last ids, this many more of each table stay unused: more than a day of creates. */
export const unknownIdsMargin = 1_000_000n

/** The highest ids that the files of a store tell of, those of another store at this place included. */
export function recordedIds({
  log,
  fileRow,
  witness,
}: Pick<FileState, 'log' | 'fileRow' | 'witness'>): Record<string, bigint> {
  const rows = [
    log?.latest,
    log?.last,
    ...(typeof fileRow === 'object' ? [fileRow] : []),
    ...witness,
  ]
  return highestIds(rows.map((row) => row?.ids))
}
