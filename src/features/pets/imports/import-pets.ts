import { createHash } from 'node:crypto'
import type { Context } from '../../../context/context.ts'
import type { ReceivedSheet, RowProblem } from '../../../contract/content.ts'
import { decodeTagged, encodeTagged } from '../../../contract/int64-json.ts'
import { joinSentences, problemsMax } from '../../../contract/problem.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import type { IdempotencyClaim } from '../../../db/db.ts'
import { Unavailable } from '../../../db/errors.ts'
import { readLines } from '../../../db/spool/read-lines.ts'
import type { Spool } from '../../../db/spool/spool.ts'
import { refusal } from '../../refuse.ts'
import { type ImportQuery, type ImportReport, importPetsOperation } from './contract.ts'
import { type ImportRow, type Progress, readProgress, storeRows, tryRows } from './store-rows.ts'

/** A file to import; the signal is aborted when the client leaves. */
type Import = { query: ImportQuery; sheet: ReceivedSheet; signal: AbortSignal }

/**
 * Stores the rows of a file: all of them are checked before the first is stored. Throws `invalid_body`, `body_too_large`,
 * `rows_refused`, `idempotency_key_reused`, `idempotency_key_in_use`, `unavailable`, and the codes of a key that is revoked.
 */
export async function importPets(
  context: Context,
  { query, sheet, signal }: Import,
): Promise<ImportReport> {
  const { db, clock, openSpool, importLimits } = context
  if (!openSpool || !importLimits) throw new Error('Only a service imports.')
  const { dryRun = false, onError = 'refuse' } = query
  using spool = openSpool()
  const file = await receive(sheet, spool, importLimits.rowsMax)
  const claim = claimOf(context, query, sheet)
  const stored = claim && !dryRun ? await db.write(readProgress, claim) : null
  const isRefusing = onError === 'refuse' && !dryRun && !stored
  const isTried = dryRun || isRefusing
  const tried = isTried ? await tryAll(context, signal, spool, file) : noProblems()
  const found = joined(file.wrong, tried)
  if (isRefusing && found.count > 0) throw rowsRefused(found, file)

  const nothing = { line: 0, created: 0, updated: 0, refused: 0, problems: [] }
  let progress: Progress = stored ?? { rows: file.creates + file.updates, ...nothing }
  if (dryRun) {
    const updated = file.updates - tried.count
    const { count: refused, first: problems } = tried
    progress = { ...progress, created: file.creates, updated, refused, problems }
  } else {
    for await (const rows of batchesOf(spool, progress.line)) {
      try {
        await requireGoingOn(context, signal)
        const batch = { rows, before: progress, problemsMax, claim, now: clock() }
        progress = await db.write(storeRows, batch)
      } catch (error) {
        throw endedEarly(error, progress, claim)
      }
    }
  }
  const refused = joined(file.wrong, { count: progress.refused, first: [...progress.problems] })
  return {
    rows: file.rows,
    created: progress.created,
    updated: progress.updated,
    refused: refused.count,
    ignored: sheet.ignored(),
    problems: refused.first,
  }
}

/** The rows that are refused: how many, and the problems of the first. */
type Problems = { count: number; first: RowProblem[] }

const noProblems = (): Problems => ({ count: 0, first: [] })

function joined(one: Problems, other: Problems): Problems {
  const first = [...one.first, ...other.first].sort((a, b) => a.line - b.line)
  return { count: one.count + other.count, first: first.slice(0, problemsMax) }
}

/** A file whose rows are checked, and whose right rows are spooled. */
type CheckedFile = { rows: number; creates: number; updates: number; wrong: Problems }

const appendBytes = 65_536

/** Reads and checks the whole file. */
async function receive(sheet: ReceivedSheet, spool: Spool, rowsMax: number): Promise<CheckedFile> {
  const file = { rows: 0, creates: 0, updates: 0, wrong: noProblems() }
  let text = ''
  for await (const rows of sheet.rows) {
    file.rows += rows.length
    if (file.rows > rowsMax) throw tooManyRows(rowsMax)
    for (const row of rows) {
      if ('problems' in row) {
        file.wrong.count += 1
        if (file.wrong.first.length < problemsMax) file.wrong.first.push(...row.problems)
      } else {
        if ('id' in row.values) file.updates += 1
        else file.creates += 1
        text += `${encodeTagged([row.line, row.values])}\n`
      }
    }
    if (text.length < appendBytes) continue
    await spool.append(Buffer.from(text))
    text = ''
  }
  if (file.rows === 0) throw new ServiceError('invalid_body', 'The file has no rows.')
  await spool.append(Buffer.from(text))
  return file
}

function tooManyRows(rowsMax: number): ServiceError {
  return new ServiceError(
    'body_too_large',
    `The file has more than ${rowsMax} rows, the maximum. Send it in parts.`,
  )
}

/** The claim of the request's Idempotency-Key, if it has one: a repetition has the same file and parameters. */
function claimOf(
  { claim }: Context,
  { onError, ignoreIds, columns }: ImportQuery,
  { digest }: ReceivedSheet,
): IdempotencyClaim | undefined {
  const parts = [onError, ignoreIds, columns, Buffer.from(digest()).toString('hex')]
  return (
    claim && { ...claim, fingerprint: createHash('sha256').update(encodeTagged(parts)).digest() }
  )
}

/** Finds the updates that would be refused. */
async function tryAll(
  context: Context,
  signal: AbortSignal,
  spool: Spool,
  { updates }: CheckedFile,
): Promise<Problems> {
  const found = noProblems()
  if (updates === 0) return found
  for await (const rows of batchesOf(spool, 0)) {
    await requireGoingOn(context, signal)
    const tried = rows.filter(({ id }) => id !== undefined)
    if (tried.length === 0) continue
    const refused = await context.db.write(tryRows, { rows: tried, now: context.clock() })
    found.count += refused.length
    found.first.push(...refused.slice(0, problemsMax - found.first.length))
  }
  return found
}

/** The rows of a transaction, which delays others by no more than a few milliseconds. */
const batchRowsMax = 100

/** The spooled rows below a line. */
async function* batchesOf(spool: Spool, line: number): AsyncGenerator<ImportRow[]> {
  let batch: ImportRow[] = []
  for await (const lines of readLines(spool.read())) {
    for (const text of lines) {
      const [at, { id, ...pet }] = decodeTagged(text) as [number, Record<string, unknown>]
      if (at <= line) continue
      batch.push({ line: at, id, pet } as ImportRow)
      if (batch.length < batchRowsMax) continue
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

/**
 * Waits for its slice of the serving thread. Throws where the import must end before its end: its client has left, its key
 * is revoked, or the service stops.
 */
async function requireGoingOn(
  { actor, takeSlice, callerNow, isStopping }: Context,
  signal: AbortSignal,
): Promise<void> {
  await takeSlice?.(actor?.keyId)
  if (signal.aborted) throw new Unavailable('The client has left.')
  if (isStopping?.()) throw new Unavailable('The service stops.')
  const caller = await callerNow?.()
  const { scope } = importPetsOperation
  if (caller && !caller.scopes.has(scope))
    throw refusal('insufficient_scope', `This API key no longer has the scope ${scope}.`)
}

/** Says what is stored where the database, or the service, is no longer there. */
function endedEarly(error: unknown, { line }: Progress, claim: IdempotencyClaim | undefined) {
  if (!(error instanceof Unavailable)) return error
  const done = line === 0 ? 'No row' : `The rows up to line ${line}`
  const advice =
    claim === undefined
      ? 'Look which of the others are, before you import them'
      : 'Send the same request with its Idempotency-Key to go on'
  return new Unavailable(`${done} of the file are stored. ${advice}. ${error.message}`, {
    cause: error.cause ?? error,
  })
}

const shownMax = 3

function rowsRefused({ count, first }: Problems, { rows }: CheckedFile): ServiceError {
  const shown = first.slice(0, shownMax).map(({ line, column, detail }) => {
    return `line ${line}${column === undefined ? '' : `, ${column}`}: ${detail}`
  })
  const told = count > shownMax ? [...shown, 'and so on'] : shown
  const message = `${count} of ${rows} rows are wrong, and nothing is stored: ${joinSentences(told)}`
  return new ServiceError('rows_refused', message, { problems: first })
}
