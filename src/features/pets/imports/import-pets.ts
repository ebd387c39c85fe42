import type { Context } from '../../../context/context.ts'
import type { ReceivedSheet, RowProblem, StreamContent } from '../../../contract/content.ts'
import { problemsMax } from '../../../contract/problem.ts'
import { rowsRefusedMessage } from '../../../contract/rows-refused.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import { Refusal } from '../../../db/errors.ts'
import { describeLateBirth } from '../../details/born-on.ts'
import type { ImportQuery, ImportReport } from './contract.ts'
import { type ImportRow, type Stored, storeRows } from './store-rows.ts'

type Import = { query: ImportQuery; sheet: ReceivedSheet }

/** Stores the rows of a file, all or none, or with `onError=skip` those that are right. Throws `rows_refused`. */
export async function importPets(context: Context, input: Import): Promise<ImportReport> {
  const { sheet } = input
  const { done, problems } = await store(context, input)
  const { refused: _, ...counts } = done
  return {
    rows: sheet.rows.length,
    refused: problems.size,
    ...counts,
    newCategories: [...done.newCategories],
    ignored: [...sheet.ignored],
    problems: firstOf(problems),
  }
}

/** As `importPets`; returns the rows that were not stored as CSV, which `rows_refused` has too. */
export async function importAndReturnRows(context: Context, input: Import): Promise<StreamContent> {
  const text = rowsOf(input.sheet, (await store(context, input)).problems)
  return async function* () {
    yield text
  }
}

/** What is wrong with rows, by their index. */
type Problems = ReadonlyMap<number, readonly RowProblem[]>

async function store({ db, clock }: Context, { query, sheet }: Import) {
  const { dryRun = false, onError = 'refuse', createCategories = false } = query
  const now = clock()
  const wrong = new Map<number, readonly RowProblem[]>()
  const rows: ImportRow[] = []
  for (const [index, row] of sheet.rows.entries()) {
    if ('problems' in row) wrong.set(index, row.problems)
    else {
      const values = row.values as ImportRow
      const detail = describeLateBirth(values, now)
      if (detail === undefined) rows.push({ ...values, index })
      else wrong.set(index, [{ line: row.line, column: 'bornOn', code: 'invalid_body', detail }])
    }
  }
  const refusesAll = onError === 'refuse'
  const isTrial = dryRun || (refusesAll && wrong.size > 0)
  const done = await db
    .write(storeRows, { rows, now, createCategories, isTrial, refusesAll })
    .catch(resultIn)
  for (const { index, code, message, ...column } of done.refused) {
    const { line } = sheet.rows[index] as { line: number }
    wrong.set(index, [{ line, ...column, code, detail: message }])
  }
  const problems = new Map([...wrong].sort(([a], [b]) => a - b))
  if (!dryRun && done.storedAt === undefined) throw rowsRefused(problems, sheet)
  return { done, problems }
}

/** What a refused write would have stored. */
function resultIn(error: unknown): Stored {
  if (error instanceof Refusal && error.code === 'rows_refused') return error.details as Stored
  throw error
}

function firstOf(problems: Problems): RowProblem[] {
  return [...problems.values()].flat().slice(0, problemsMax)
}

function rowsRefused(problems: Problems, sheet: ReceivedSheet): ServiceError {
  const first = firstOf(problems)
  const message = rowsRefusedMessage(problems.size, sheet.rows.length, first)
  const all = new Map(sheet.rows.map((_, index) => [index, problems.get(index) ?? []]))
  return new ServiceError('rows_refused', message, {
    problems: first,
    rows: () => rowsOf(sheet, all),
  })
}

function rowsOf({ write }: ReceivedSheet, problems: Problems): string {
  const tell = ({ column, detail }: RowProblem) =>
    column === undefined ? detail : `${column}: ${detail}`
  return write([...problems].map(([index, of]) => [index, of.map(tell).join('; ')]))
}
