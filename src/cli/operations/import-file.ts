import { existsSync, rmSync, writeFileSync } from 'node:fs'
import type { Answer } from '../../../client/src/call.ts'
import { PetstoreApiError } from '../../../client/src/errors.ts'
import type { ImportPetsQuery, ImportReport } from '../../../client/src/generated/records.ts'
import { importInParts } from '../../../client/src/import.ts'
import type { FileBody, Operation } from '../../../client/src/operation.ts'
import type { Transport } from '../../../client/src/transport.ts'
import { usageError } from '../../config/exit-error.ts'
import { numberOf, tell } from '../text/print.ts'
import { withProgress } from '../text/progress.ts'
import type { Flags } from './read-request.ts'

type Request = { operation: Operation; file: FileBody; query: ImportPetsQuery }

/** Imports a file with one bar on a terminal. Where it ends early, it says how far it came: the same command goes on. Throws `usage`. */
export async function importFile(
  transport: Transport,
  { operation, ...input }: Request,
  flags: Flags,
): Promise<Answer<ImportReport>> {
  const { dryRun, onError } = input.query
  const again = againOf(flags)
  const refusedPath = flags.refused as string | undefined
  if (refusedPath !== undefined && onError !== 'skip' && !dryRun)
    throw usageError('--refused needs --on-error skip, or --dry-run: else no row is stored.')
  let [stored, rows] = [0, 0]
  let storedBefore: number | undefined
  const howFar = () =>
    `${numberOf(stored)} of ${numberOf(rows)} rows are stored. The same command goes on.`
  const answer = await withProgress(
    (onProgress) =>
      importInParts(transport, operation, input, {
        again,
        idempotencyKey: flags['idempotency-key'] as string | undefined,
        onProgress(progress) {
          ;({ stored, rows } = progress)
          if (progress.checked === rows) storedBefore ??= stored
          // A row is half done once it is checked.
          const done = dryRun ? progress.checked : Math.floor((progress.checked + stored) / 2)
          onProgress({ unit: 'rows', done, total: rows })
        },
        onRefused: refusedPath === undefined ? undefined : (csv) => writeFileSync(refusedPath, csv),
      }).withResponse(),
    () => `Stopped: ${howFar()}`,
  ).catch((error) => {
    if (stored > 0) tell(howFar())
    if (error instanceof PetstoreApiError && error.code === 'idempotency_key_reused')
      tell(`These rows were imported with other options: --again ${again + 1} imports them again.`)
    throw error
  })
  if (refusedPath !== undefined && answer.data.refused === 0 && existsSync(refusedPath)) {
    rmSync(refusedPath)
    tell(`No row was refused: ${refusedPath}, of an earlier import, is removed.`)
  }
  if (answer.isReplayed)
    tell(
      `These rows were stored at ${answer.data.storedAt}, and not again: --again ${again + 1} does.`,
    )
  else if (storedBefore && storedBefore < rows)
    tell(
      `${numberOf(storedBefore)} of these ${numberOf(rows)} rows were stored before, and not again.`,
    )
  return answer
}

function againOf({ again = '0' }: Flags): number {
  if (/^\d{1,9}$/.test(String(again))) return Number(again)
  throw usageError('--again must be a number from 0.')
}
