import { importBytesMax, importRowsMax } from '../../../contract/import-limits.ts'
import { defineOperation } from '../../../contract/operation.ts'
import { problemsMax } from '../../../contract/problem.ts'
import { columnName, RowProblem, rowProblems } from '../../../contract/row-problem.ts'
import { int32, oneOf, textUpTo } from '../../../contract/schemas.ts'
import { animalsTag } from '../../../contract/tags.ts'
import * as Type from '../../../contract/type.ts'

/** The most ignored columns that a response lists. */
const ignoredMax = 100

const count = (description: string, example: number) =>
  int32({ minimum: 0, maximum: importRowsMax, description, examples: [example] })

const counts = { rows: 2, created: 1, updated: 1, refused: 0 }
const report = { ...counts, ignored: [{ column: 'colour' }], problems: [] }

const ImportReport = Type.Object(
  {
    rows: count('How many rows the file has.', 3),
    created: count('How many rows added a pet.', 1),
    updated: count('How many rows changed a pet, or found it as they say.', 1),
    refused: count('How many rows were refused.', 1),
    ignored: Type.Array(
      Type.Object(
        {
          column: columnName('colour'),
          nearest: Type.Optional(textUpTo(64, 'The member that it may be meant for.', 'status')),
        },
        {
          $id: 'IgnoredColumn',
          additionalProperties: false,
          description: 'A column that is no member of a pet.',
          examples: [{ column: 'Statsu', nearest: 'status' }],
        },
      ),
      {
        maxItems: ignoredMax,
        description: 'The columns that were ignored: the first 100.',
        examples: [[{ column: 'colour' }]],
      },
    ),
    problems: Type.Array(RowProblem, {
      maxItems: problemsMax,
      description: `What is wrong with the refused rows, in the order of the file: the first ${problemsMax}.`,
      examples: [rowProblems],
    }),
  },
  {
    $id: 'ImportReport',
    additionalProperties: false,
    description: 'What an import has done; with `dryRun`, what it would do.',
    examples: [report],
  },
)
export type ImportReport = Type.Static<typeof ImportReport>

const flag = (description: string) =>
  Type.Boolean({ default: false, description, allowed: 'true or false' })

const importQuery = Type.Partial({
  dryRun: flag('Whether all rows are checked and nothing is stored.'),
  onError: oneOf(['refuse', 'skip'], {
    default: 'refuse',
    description: 'Whether a refused row refuses the whole file, or is left out.',
  }),
  ignoreIds: flag('Whether the column `id` is ignored: every row adds a pet.'),
  columns: Type.String({
    maxLength: 4_000,
    description:
      'Which column is which member, as `Tiername:name,Art:categoryId`; a column without a member, as `Status:`, is ignored. Other columns are matched by their names; case, spaces, `_` and `-` do not count.',
    allowed: 'COLUMN:MEMBER, several separated by commas, sent once',
  }),
})
export type ImportQuery = Type.Static<typeof importQuery>

export const importPetsOperation = defineOperation({
  operationId: 'importPets',
  method: 'POST',
  path: '/pets/import',
  client: 'pets.import',
  idempotency: 'resumed',
  tag: animalsTag,
  summary: 'Import a spreadsheet',
  description:
    'Takes the rows of a file, CSV (RFC 4180, separated by commas, semicolons or tabs) or one JSON object a line. A row with an `id` changes that pet as `updatePet` does, one without adds a pet as `createPet` does. All rows are checked before the first is stored: rows that are wrong refuse the file with `rows_refused`, unless `onError=skip`. Then they are stored in turns with other requests, and visible as they go. Where the request ends early, its repetition with the same `Idempotency-Key` goes on, and responds with the same report.',
  scope: 'pets:write',
  lifecycle: { stability: 'beta', tryItPanel: false },
  query: importQuery,
  body: {
    mediaTypes: ['text/csv', 'application/x-ndjson'],
    sizeMaxBytes: importBytesMax,
    isStreamed: true,
  },
  returns: 'value',
  item: ImportReport,
  errors: ['invalid_body', 'rows_refused'],
  examples: {
    name: 'report',
    summary: 'What was imported',
    query: { dryRun: false, onError: 'skip', ignoreIds: false, columns: 'Tiername:name' },
    body: {
      'text/csv': 'id,name,categoryId,status,colour\n3,,,pending,red\n,Rex,1,available,white\n',
      'application/x-ndjson':
        '{"id":3,"status":"pending","colour":"red"}\n{"name":"Rex","categoryId":1}\n',
    },
    response: report,
  },
})

const ImportProgress = Type.Object(
  {
    rows: count('How many rows of the file are to be stored.', 3),
    created: count('How many rows have added a pet.', 1),
    updated: count('How many rows have changed a pet, or found it as they say.', 1),
    refused: count('How many rows were refused when it was their turn.', 1),
  },
  {
    $id: 'ImportProgress',
    additionalProperties: false,
    description: 'How far an import has come: zeros before its first row is stored.',
    examples: [counts],
  },
)
export type ImportProgress = Type.Static<typeof ImportProgress>

const progressQuery = Type.Partial({
  idempotencyKey: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The `Idempotency-Key` of the import, as the same API key has sent it.',
    allowed: '1 to 255 characters, sent once',
  }),
})
export type ProgressQuery = Type.Static<typeof progressQuery>

export const getImportOperation = defineOperation({
  operationId: 'getImport',
  method: 'GET',
  path: '/pets/import',
  client: 'pets.getImport',
  tag: animalsTag,
  summary: 'Get the progress of an import',
  description:
    'Returns how many rows an import in progress, or one that was cut off, has stored. One without an `Idempotency-Key`, or one that began a day ago, is not known.',
  scope: 'pets:write',
  lifecycle: { stability: 'beta' },
  query: progressQuery,
  returns: 'value',
  item: ImportProgress,
  errors: [],
  examples: {
    name: 'unknown',
    summary: 'An import of which no row is stored yet',
    query: { idempotencyKey: 'pets-2026-11' },
    response: { rows: 0, created: 0, updated: 0, refused: 0 },
  },
})
