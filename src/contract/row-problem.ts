import { importBytesMax } from './import-limits.ts'
import { int32, textUpTo } from './schemas.ts'
import * as Type from './type.ts'

/** The name of a column. */
export const columnName = (example: string) =>
  textUpTo(64, 'The column, as the file names it; a long name is shortened.', example)

export const rowProblems = [
  {
    line: 3,
    column: 'status',
    code: 'invalid_body',
    detail: 'must be available, pending or sold; received "gone"',
  },
]

export const refusedRows =
  'error;id;name;category;status\r\n"status: must be available, pending or sold; received ""gone""";;Rex;Cats;gone\r\n'

/** What comes back of a file. */
export const RefusedRows = Type.String({
  $id: 'RefusedRows',
  maxLength: 2 ** 31 - 1,
  description:
    'The rows that were not stored, as they came, with a column `error` in front that says what is wrong.',
  examples: [refusedRows],
})

/** Why a row of a file is refused. */
export const RowProblem = Type.Object(
  {
    line: int32({
      minimum: 1,
      maximum: importBytesMax,
      description: 'The line of the file on which the row begins.',
      examples: [3],
    }),
    column: Type.Optional(columnName('status')),
    code: Type.String({
      maxLength: 64,
      pattern: '^[a-z_]+$',
      description: 'The error code that a request for this row alone would get.',
      examples: ['invalid_body'],
    }),
    detail: textUpTo(
      10_000,
      'What is wrong there.',
      'must be available, pending or sold; received "avalable"; did you mean available?',
    ),
  },
  {
    $id: 'RowProblem',
    additionalProperties: false,
    description: 'Why a row is refused.',
    examples: rowProblems,
  },
)
