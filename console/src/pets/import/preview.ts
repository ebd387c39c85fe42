import { canonicalNameOf } from '../../../../src/contract/name-key.ts'
import { plainName } from '../../../../src/contract/sheets.ts'
import { splitRecords } from '../../../../src/contract/split-records.ts'

/** What a column can be, and the headings that people have for it, the first of them the one of the service. */
const headings = {
  name: ['name', 'title', 'pet', 'petname'],
  category: ['category', 'kind', 'type', 'species'],
  status: ['status'],
  price: ['price', 'cost', 'amount'],
  currency: ['currency'],
  description: ['description', 'text', 'notes'],
  bornOn: ['bornon', 'born', 'birthday', 'dateofbirth'],
  sex: ['sex', 'gender'],
  tags: ['tags'],
  id: ['id'],
  categoryId: ['categoryid'],
} as const
export type Member = keyof typeof headings
const members = Object.keys(headings) as Member[]

export const labels: Record<Member, string> = {
  name: 'Name',
  category: 'Category',
  status: 'Status',
  ...{ price: 'Price', currency: 'Currency', description: 'Description' },
  ...{ bornOn: 'Born', sex: 'Sex', tags: 'Tags' },
  id: 'Id',
  categoryId: 'Category id',
}

/** What each column of a file is; undefined for those that are left out. */
export type Matched = readonly (Member | undefined)[]

/** A file as a person needs it to see which column is what. */
export type Preview = {
  columns: readonly string[]
  rows: readonly { line: number; cells: readonly string[] }[]
}

/** So many records of JSON are searched for members. */
const searchedRecords = 100

/** Reads a file; undefined for a workbook of Excel. What else is wrong with a file is for the service to say. */
export async function readPreview(file: File): Promise<Preview | undefined> {
  const text = await file.text()
  if (text.startsWith('PK\x03\x04')) return undefined
  const { type, columns, rows } = splitRecords(text)
  if (type === 'text/csv')
    return { columns, rows: rows.map(({ line, cells = [] }) => ({ line, cells })) }
  const records = rows.map(({ line, text }) => ({ line, record: parseRow(text) }))
  const searched = records.slice(0, searchedRecords)
  const names = [...new Set(searched.flatMap(({ record }) => Object.keys(record)))]
  const cellsOf = (record: Record<string, unknown>) =>
    names.map((name) => String(record[name] ?? ''))
  return {
    columns: names,
    rows: records.map(({ line, record }) => ({ line, cells: cellsOf(record) })),
  }
}

function parseRow(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) }
  } catch {
    return {}
  }
}

/** Matches columns by the words that people have for them: of several the one that is most usual. */
export function matchColumns(columns: readonly string[]): Matched {
  const names = columns.map(plainName)
  const found = members.map((member) => {
    const word = headings[member].find((heading) => names.includes(heading))
    return word === undefined ? -1 : names.indexOf(word)
  })
  return columns.map((_, index) => members[found.indexOf(index)])
}

/** What a column can be: ids only where the file has some. */
export function choicesFor(columns: readonly string[]) {
  const found = matchColumns(columns)
  const isOffered = (member: Member) => !/id$/i.test(member) || found.includes(member)
  const choices = members.filter(isOffered)
  return [
    ...choices.map((value) => ({ value: value as string, label: labels[value] })),
    { value: '', label: 'Leave out' },
  ]
}

/** The parameter `columns`, for those that the service does not know by their names. */
export function columnsParameter(columns: readonly string[], matched: Matched): string | undefined {
  const pairs = columns.flatMap((column, index) => {
    const member = matched[index]
    const known = members.find((one) => headings[one][0] === plainName(column))
    return member === known ? [] : [`${column}:${member ?? ''}`]
  })
  return pairs.length === 0 ? undefined : pairs.join(',')
}

/** How many rows have a category of this name, besides those on these lines. */
export function countOfCategory(
  { rows }: Preview,
  matched: Matched,
  name: string,
  besides: ReadonlySet<number>,
): number {
  const at = matched.indexOf('category')
  const canonical = canonicalNameOf(name)
  return rows.filter(
    ({ line, cells }) => !besides.has(line) && canonicalNameOf(cells[at] ?? '') === canonical,
  ).length
}

/** Whether there are prices, and no currency of any of them. */
export function needsCurrency({ rows }: Preview, matched: Matched): boolean {
  const at = matched.indexOf('price')
  if (at === -1 || matched.includes('currency')) return false
  return rows.some(({ cells }) => /^\s*\S+\s*$/.test(cells[at] ?? ''))
}

/** What no column is, though a new pet needs it. */
export function missingFor(matched: Matched): string[] {
  const has = (...any: Member[]) => ['id' as Member, ...any].some((one) => matched.includes(one))
  return [
    ...(has('name') ? [] : [labels.name]),
    ...(has('category', 'categoryId') ? [] : [labels.category]),
  ]
}
