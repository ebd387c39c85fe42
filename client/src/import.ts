import { stringifyJson } from '../../src/contract/int64-json.ts'
import { rowsRefusedMessage } from '../../src/contract/rows-refused.ts'
import { type Answer, Call } from './call.ts'
import { PetstoreApiError } from './errors.ts'
import { errorOf } from './failures.ts'
import type { ImportPetsQuery, ImportReport } from './generated/records.ts'
import { cutFile, digestOf, type Part } from './import-parts.ts'
import { isStored, joinRefused, mergeReports, type SentPart } from './import-report.ts'
import type { CreateOptions, FileBody, Operation } from './operation.ts'
import { readText } from './reply.ts'
import type { Transport } from './transport.ts'

export type ImportOptions = CreateOptions & {
  /** Imports a file again that is imported already: the `Idempotency-Key` of each part follows from its content and this number. */
  again?: number | undefined
  /** Told how far the import is, first before anything is sent. */
  onProgress?: ((progress: ImportProgress) => void) | undefined
  /** Given the refused rows, where there are any, as CSV with a column `error`: to repair, and to import. */
  onRefused?: ((csv: string) => unknown) | undefined
}

/** How many rows a file has, and how many of them are checked and stored. */
export type ImportProgress = { rows: number; checked: number; stored: number }

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
  const { again = 0, onProgress, onRefused } = options
  const post = <T>({ body, type, key }: SentPart, dryRun = query.dryRun, sent = operation) => {
    const input = { file: body, query: { ...query, dryRun } }
    return transport.call<T>(sent, input, { ...options, type, idempotencyKey: key }).withResponse()
  }

  async function importParts(parts: readonly SentPart[]): Promise<Answer<ImportReport>> {
    const send = async (part: SentPart, dryRun?: true) => {
      part.answer = await post<ImportReport>(part, dryRun)
      onProgress?.(progressOf(parts))
    }
    const check = async (unchecked: readonly SentPart[]) => {
      for (const part of unchecked) await send(part, true)
      if (query.onError !== 'skip') requireRight(parts)
    }
    onProgress?.(progressOf(parts))
    if (!query.dryRun && parts.length > 1) await check(parts)
    for (const part of parts) {
      if (isStored(part)) continue
      await send(part).catch(async (error) => {
        // Checked once more, its lines are those of the file.
        if (error instanceof PetstoreApiError && error.code === 'rows_refused') await check([part])
        throw error
      })
    }
    const answers = parts.map(({ answer }) => answer as Answer<ImportReport>)
    const data = mergeReports(parts)
    if (onRefused && data.refused > 0) onRefused(await readRefused(parts))
    const isReplayed = answers.every((answer) => answer.isReplayed)
    return { ...(answers.at(-1) as Answer<ImportReport>), data, isReplayed }
  }

  /** The refused rows of all parts; of what is stored, those that were refused then. */
  async function readRefused(parts: readonly SentPart[]): Promise<string> {
    const texts: string[] = []
    for (const part of parts) {
      if (!part.answer?.data.refused) continue
      const { data } = await post<Response>(part, undefined, { ...operation, isFile: true })
      texts.push(await readText(data))
    }
    return joinRefused(texts)
  }

  const keyOf = ({ body }: Part, index: number) => {
    const { idempotencyKey = `import-${digestOf(body)}-${again}` } = options
    return index === 0 ? idempotencyKey : `${idempotencyKey}.${index}`
  }
  const cut = cutFile(file, query)
  return new Call(
    cut.then((parts) => importParts(parts.map((part, at) => ({ ...part, key: keyOf(part, at) })))),
  )
}

function progressOf(parts: readonly SentPart[]): ImportProgress {
  const rowsIn = (some: readonly Part[]) => some.reduce((sum, { rows }) => sum + rows, 0)
  return {
    rows: rowsIn(parts),
    checked: rowsIn(parts.filter(({ answer }) => answer)),
    stored: rowsIn(parts.filter(isStored)),
  }
}

/** Throws `rows_refused` where rows are wrong in the parts that were tried and are not stored. */
function requireRight(parts: readonly SentPart[]): void {
  const tried = parts.filter((part) => !isStored(part))
  const refusing = tried.find(({ answer }) => answer?.data.refused)?.answer
  if (!refusing) return
  const { headers, idempotencyKey } = refusing
  const { rows, refused, problems } = mergeReports(tried)
  const detail = rowsRefusedMessage(refused, rows, problems)
  const text = stringifyJson({ code: 'rows_refused', detail, errors: problems })
  const known = { operation: 'importPets', attempts: 1, idempotencyKey, isOutcomeUnknown: false }
  throw errorOf({ status: 422, headers, text }, known)
}
