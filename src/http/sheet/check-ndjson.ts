import type { SheetRow } from '../../contract/content.ts'
import { parseJson } from '../../contract/int64-json.ts'
import { readLines } from '../../db/spool/read-lines.ts'
import { locateJsonError } from '../request/locate-json-error.ts'
import type { RowCheck } from './compile-row.ts'
import { rowMaxBytes, rowTooLarge } from './file-problem.ts'
import type { ColumnMatcher } from './match-columns.ts'

/** The checked rows of a file with a JSON object on each line. */
export async function* checkNdjson(
  slices: AsyncIterable<Buffer>,
  matcher: ColumnMatcher,
  row: RowCheck,
): AsyncGenerator<SheetRow[]> {
  let line = 0
  for await (const lines of readLines(slices, { lineMaxBytes: rowMaxBytes, refuse: rowTooLarge })) {
    yield lines.flatMap((text) => {
      line += 1
      return text.trim() === ''
        ? []
        : [checkLine(line, line === 1 ? text.replace(/^\ufeff/, '') : text, matcher, row)]
    })
  }
}

function checkLine(line: number, text: string, matcher: ColumnMatcher, row: RowCheck): SheetRow {
  const refuse = (code: string, detail: string) => ({ line, problems: [{ line, code, detail }] })
  let object: unknown
  try {
    object = parseJson(text)
  } catch {
    return refuse('invalid_json', `is not JSON: ${locateJsonError(text)}`)
  }
  if (typeof object !== 'object' || object === null || Array.isArray(object))
    return refuse('invalid_body', 'must be a JSON object')
  const values: Record<string, unknown> = {}
  const names = new Map<string, string>()
  for (const [name, value] of Object.entries(object)) {
    const member = matcher.match(name)
    if (member === undefined) continue
    if (names.has(member)) return refuse('invalid_body', `has two members for ${member}`)
    names.set(member, name)
    values[member] = value
  }
  return row.check(line, values, names)
}
