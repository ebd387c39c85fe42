import { stringifyJson } from '../../src/contract/int64-json.ts'
import type { Problem } from '../../src/contract/problem.ts'
import { rowsRefusedMessage } from '../../src/contract/rows-refused.ts'
import { type Answer, Call } from './call.ts'
import { PetstoreApiError, PetstoreError } from './errors.ts'
import { errorOf } from './failures.ts'
import type { ImportPetsQuery, ImportReport } from './generated/records.ts'
import { cutFile, digestOf, type Part } from './import-parts.ts'
import { joinRefused, mergeReports } from './import-report.ts'
import type { CreateOptions, FileBody, Operation } from './operation.ts'
import { readText } from './reply.ts'
import type { Transport } from './transport.ts'

export type ImportOptions = CreateOptions & {
  /** What the file is; otherwise what a `Blob` says, the name of a `File`, or how it begins. */
  type?: 'text/csv' | 'application/json' | 'application/x-ndjson' | undefined
  /** Imports a file again that is imported already: the `Idempotency-Key` of each part follows from its content and this number. */
  again?: number | undefined
  /** Told how far the import is, first before anything is sent. */
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Given the refused rows, where there are any, as CSV with a column `error`: to repair, and to import. */
  onRefused?: ((csv: string) => unknown) | undefined
}

/** How many rows a file has, and how many of them are checked and stored. */
export type ImportProgress = { rows: number; checked: number; stored: number }

type Importing = {
  transport: Transport
  operation: Operation
  query: ImportPetsQuery
  parts: readonly Part[]
  options: ImportOptions
}

/**
 * Imports a file of any length, in parts: each is stored whole or not at all. Of several, all are checked before the first is
 * stored. Where an import ended early, the same call goes on, and stores nothing twice.
 */
export function importInParts(
  transport: Transport,
  operation: Operation,
  { file, query }: { file: FileBody; query: ImportPetsQuery },
  options: ImportOptions,
): Call<ImportReport> {
  const cut = cutFile(file, options.type, query)
  return new Call(cut.then((parts) => importParts({ transport, operation, query, parts, options })))
}

async function importParts(importing: Importing): Promise<Answer<ImportReport>> {
  const { query, parts, options } = importing
  const { onProgress, onRefused } = options
  const answers: Answer<ImportReport>[] = []
  const progress = { rows: parts.reduce((sum, { rows }) => sum + rows, 0), checked: 0, stored: 0 }
  const isStored = (index: number) => answers[index]?.data.storedAt !== undefined
  const send = async (index: number, dryRun: true | undefined) => {
    onProgress?.({ ...progress })
    const isChecked = answers[index] !== undefined
    answers[index] = await sendPart<ImportReport>(importing, index, dryRun)
    const { rows } = parts[index] as Part
    if (!isChecked) progress.checked += rows
    if (isStored(index)) progress.stored += rows
  }
  try {
    if (query.dryRun || parts.length > 1) for (const index of parts.keys()) await send(index, true)
    if (!query.dryRun) {
      if (query.onError !== 'skip') requireRight(parts, answers)
      for (const index of parts.keys()) if (!isStored(index)) await send(index, undefined)
    }
  } catch (error) {
    throw explain(error, progress.stored, options)
  }
  onProgress?.({ ...progress })
  const data = mergeReports(
    answers.map((answer) => answer.data),
    parts,
  )
  if (onRefused && data.refused > 0) onRefused(await readRefused(importing, answers))
  const isReplayed = answers.every((answer) => answer.isReplayed)
  return { ...(answers.at(-1) as Answer<ImportReport>), data, isReplayed }
}

/** Stores a part, or tries it. */
async function sendPart<T>(
  { transport, operation, query, parts, options }: Importing,
  index: number,
  dryRun: true | undefined,
): Promise<Answer<T>> {
  const { body, type, rows, lineOf } = parts[index] as Part
  const { again = 0, idempotencyKey = `import-${digestOf(body)}-${again}` } = options
  const key = index === 0 ? idempotencyKey : `${idempotencyKey}.${index}`
  const input = { file: body, query: { ...query, dryRun } }
  try {
    const sent = { ...options, type, idempotencyKey: key }
    return await transport.call<T>(operation, input, sent).withResponse()
  } catch (error) {
    const isRefused = error instanceof PetstoreApiError && error.code === 'rows_refused'
    if (!isRefused || parts.length === 1) throw error
    const problems = error.problems.map((one) => ({ ...one, line: lineOf(one.line ?? 1) }))
    const refused = new Set(problems.map(({ line }) => line)).size
    throw refusalOf({ rows, refused, problems }, error)
  }
}

/** Throws `rows_refused` where rows are wrong in the parts that were tried and are not stored. */
function requireRight(parts: readonly Part[], answers: readonly Answer<ImportReport>[]): void {
  const tried = answers.flatMap((answer, index) =>
    answer.data.storedAt === undefined ? [{ answer, part: parts[index] as Part }] : [],
  )
  const reports = tried.map(({ answer }) => answer.data)
  const report = mergeReports(
    reports,
    tried.map(({ part }) => part),
  )
  const refusing = tried.find(({ answer }) => answer.data.refused > 0)
  if (refusing) throw refusalOf(report, refusing.answer)
}

type Refused = { rows: number; refused: number; problems: readonly Problem[] }

function refusalOf(
  { rows, refused, problems }: Refused,
  { headers, idempotencyKey }: Pick<Answer<unknown>, 'headers' | 'idempotencyKey'>,
): PetstoreError {
  const detail = rowsRefusedMessage(refused, rows, problems)
  const text = stringifyJson({ code: 'rows_refused', detail, errors: problems })
  const known = { operation: 'importPets', attempts: 1, idempotencyKey, isOutcomeUnknown: false }
  return errorOf({ status: 422, headers, text }, known)
}

/** Says with an error what is stored all the same. */
function explain(error: unknown, stored: number, { idempotencyKey }: ImportOptions): unknown {
  if (!(error instanceof PetstoreError)) return error
  const isReused = error instanceof PetstoreApiError && error.code === 'idempotency_key_reused'
  const sentences = [
    isReused &&
      idempotencyKey === undefined &&
      'These rows are imported already, with other parameters; another number for `again` imports them once more',
    stored > 0 &&
      `${stored} rows of other parts are stored, and the same import goes on with the rest`,
  ].filter((sentence) => sentence !== false)
  if (sentences.length === 0) return error
  // In front of the name of the request.
  const at = error.message.lastIndexOf(` (${error.operation}`)
  const [what, request] = [error.message.slice(0, at), error.message.slice(at)]
  const stop = what.endsWith('.') ? '' : '.'
  return Object.assign(error, { message: `${what}${stop} ${sentences.join('. ')}.${request}` })
}

/** The refused rows of all parts; of what is stored, those that were refused then. */
async function readRefused(
  importing: Importing,
  answers: readonly Answer<ImportReport>[],
): Promise<string> {
  const asCsv = { ...importing, operation: { ...importing.operation, isFile: true as const } }
  const texts: string[] = []
  for (const [index, { data }] of answers.entries()) {
    if (data.refused === 0) continue
    const { data: csv } = await sendPart<Response>(
      asCsv,
      index,
      importing.query.dryRun || undefined,
    )
    texts.push(await readText(csv))
  }
  return joinRefused(texts)
}
