import { importBytesMax, importRowsMax } from '../../../contract/import-limits.ts'
import { defineOperation } from '../../../contract/operation.ts'
import { Currency } from '../../../contract/price.ts'
import { problemsMax } from '../../../contract/problem.ts'
import {
  columnName,
  RefusedRows,
  RowProblem,
  refusedRows,
  rowProblems,
} from '../../../contract/row-problem.ts'
import { filterBy, instant, int32, objectOf, oneOf, textUpTo } from '../../../contract/schemas.ts'
import { animalsTag } from '../../../contract/tags.ts'
import * as Type from '../../../contract/type.ts'

/** The most ignored columns that a response lists. */
const ignoredMax = 100

const count = (description: string, example: number) =>
  int32({ minimum: 0, maximum: importRowsMax, description, examples: [example] })

const report = {
  rows: 2,
  created: 1,
  updated: 1,
  refused: 0,
  newCategories: [],
  storedAt: '2026-11-02T09:30:00.000Z',
  ignored: [{ column: 'colour' }],
  problems: [],
}

const ImportReport = objectOf(
  'ImportReport',
  {
    rows: count('How many rows the file has.', 3),
    created: count('How many rows added a pet.', 1),
    updated: count('How many rows changed a pet, or matched it already.', 1),
    refused: count('How many rows were refused.', 1),
    newCategories: Type.Array(textUpTo(100, 'The name of a category.', 'Alpacas'), {
      maxItems: importRowsMax,
      description: 'The names of the categories that were added.',
      examples: [['Alpacas']],
    }),
    storedAt: Type.Optional(
      instant(
        'When the rows were stored; absent of a dry run, unless its `Idempotency-Key` is that of an import.',
        report.storedAt,
      ),
    ),
    ignored: Type.Array(
      objectOf(
        'IgnoredColumn',
        {
          column: columnName('colour'),
          nearest: Type.Optional(textUpTo(64, 'The member that it may be meant for.', 'status')),
        },
        'A column that is no member of a pet.',
        { column: 'Statsu', nearest: 'status' },
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
  'What an import has done; with `dryRun`, what it would do.',
  report,
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
  createCategories: flag(
    'Whether a name in the column `category` that no category has adds one; otherwise it refuses the row.',
  ),
  currency: filterBy(Currency, 'The currency of prices without one.'),
  columns: Type.String({
    maxLength: 4_000,
    description:
      'Which column is which member, as `Tiername:name,Art:category`; a column without a member, as `Status:`, is ignored. Other columns are matched by their names; case, spaces, `_` and `-` do not count.',
    allowed: 'COLUMN:MEMBER, several separated by commas, sent once',
  }),
})
export type ImportQuery = Type.Static<typeof importQuery>

export const importPetsOperation = defineOperation({
  operationId: 'importPets',
  method: 'POST',
  path: '/pets/import',
  client: 'pets.import',
  idempotency: 'replayed',
  tag: animalsTag,
  summary: 'Import a spreadsheet',
  description:
    'Takes up to 1,000 rows, of which up to 200 change pets, in one transaction: CSV (RFC 4180, separated by commas, semicolons or tabs), an array of JSON, or a JSON object on each line; without a `Content-Type` the first character decides. A row with an `id` changes that pet as `updatePet` does, one without adds a pet as `createPet` does. A pet has its category by `categoryId`, or by name in a column `category`. The columns `description`, `price` (`249.00`, or `249.00 EUR`), `currency`, `bornOn`, `sex` and `tags` (separated by `|`) change its details. Rows that are wrong refuse the file with `rows_refused`, unless `onError=skip`. A client that prefers `text/csv` gets the rows that were not stored, as they came, with a column `error` in front; send them again once they are right.',
  scope: 'pets:write',
  lifecycle: { stability: 'beta', tryItPanel: false },
  query: importQuery,
  body: {
    mediaTypes: ['text/csv', 'application/x-ndjson', 'application/json'],
    sizeMaxBytes: importBytesMax,
  },
  returns: 'value',
  item: ImportReport,
  alternative: {
    returns: 'stream',
    mediaTypes: ['text/csv'],
    item: RefusedRows,
    examples: {
      name: 'refused',
      summary: 'What was not imported',
      response: refusedRows,
    },
  },
  errors: ['invalid_body', 'rows_refused'],
  examples: {
    name: 'report',
    summary: 'What was imported',
    query: {
      dryRun: false,
      onError: 'skip',
      ignoreIds: false,
      createCategories: true,
      currency: 'EUR',
      columns: 'Tiername:name',
    },
    body: {
      'text/csv': 'id,name,category,status,colour\n3,,,pending,red\n,Rex,Dogs,available,white\n',
      'application/x-ndjson':
        '{"id":3,"status":"pending","colour":"red"}\n{"name":"Rex","category":"Dogs"}\n',
      'application/json':
        '[{"id":3,"status":"pending","colour":"red"},{"name":"Rex","category":"Dogs"}]',
    },
    response: report,
  },
})
