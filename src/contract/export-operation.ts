import { defineOperation, type Operation, type Scope } from './operation.ts'
import { pageParameters } from './schemas.ts'
import { sheetFormats, sheetTypes } from './sheets.ts'
import * as Type from './type.ts'

type ListOperation = Operation & {
  client: `${string}.list`
  scope: Scope
  query: Type.TObject
  item: Type.TSchema & { properties: object }
  examples: { response: readonly object[] }
}

const Sheet = Type.String({
  $id: 'Sheet',
  maxLength: 2 ** 31 - 1,
  description:
    'Records in order of ids: CSV with a header (RFC 4180, UTF-8, lines that end in CRLF), or a line of JSON for each (NDJSON).',
  examples: ['id,name,category,categoryId,status\r\n24,"Percy, brown Birman",Cats,2,available\r\n'],
})

type Exported = {
  operationId: string
  summary: string
  noun: string
  /** Where the columns are not the members of the records: those, and the records of the example as the file has them. */
  columns?: readonly string[]
  records?: readonly object[]
}

/** The operation that sends all of a list as a file, by the filters of the list and with its example. */
export function exportOf<const List extends ListOperation>(
  list: List,
  {
    operationId,
    summary,
    noun,
    columns = Object.keys(list.item.properties),
    records = list.examples.response,
  }: Exported,
) {
  const { path, client, tag, scope, query, examples } = list as List & ListOperation
  const { sort } = pageParameters.properties
  const properties = { ...(query.properties as List['query']['properties']), sort }
  const written = Object.entries(sheetFormats<object>(columns as never[])).map(
    ([type, { head, lineOf }]) => [type, [head, ...records.map(lineOf)].join('')],
  )
  return defineOperation({
    operationId,
    method: 'GET',
    path: `${path}/export`,
    client: `${client.replace('.list', '')}.export` as const,
    tag,
    summary,
    description: `Sends all ${noun} that match, of one moment, as CSV or, where \`Accept\` names it, as NDJSON. In CSV, a text that a spreadsheet would run (after any apostrophes it begins with \`=\`, \`+\`, \`-\`, \`@\`, one of these in full width, a tab or a carriage return) has one more apostrophe before it, and so has each such part behind a comma, a semicolon, \`|\`, a quote, a tab or a line break; whoever reads the file removes one from each.`,
    scope: scope as List['scope'],
    lifecycle: { stability: 'beta' },
    query: Type.Object(properties),
    condition: 'If-None-Match',
    returns: 'file',
    mediaTypes: [sheetTypes.csv, sheetTypes.ndjson],
    isDownload: true,
    item: Sheet,
    errors: [],
    examples: {
      ...examples,
      query: { ...examples.query, sort: 'id' },
      responses: Object.fromEntries(written),
    },
  })
}
