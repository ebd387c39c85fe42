/** The members of a pet that a column can be. */
export const members = ['id', 'name', 'categoryId', 'status'] as const
export type Member = (typeof members)[number]

/** The first rows of a file, as far as a person needs them to see which column is what. */
export type Preview = {
  type: 'text/csv' | 'application/x-ndjson'
  columns: readonly string[]
  rows: readonly (readonly string[])[]
}

const readBytes = 64 * 1_024
const shownRows = 5

/** Reads the first rows. What is wrong with a file is for the service to say. */
export async function readPreview(file: File): Promise<Preview> {
  const text = (await file.slice(0, readBytes).text()).replace(/^\uFEFF/, '')
  if (!/\.(ndjson|jsonl)$/i.test(file.name)) {
    const [columns = [], ...rows] = cellsOf(text, shownRows + 1)
    return { type: 'text/csv', columns, rows }
  }
  const records = text
    .split('\n', shownRows)
    .map(parseLine)
    .filter((record) => record !== undefined)
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const rows = records.map((record) => columns.map((name) => String(record[name] ?? '')))
  return { type: 'application/x-ndjson', columns, rows }
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** The cells of the first rows of a CSV file (RFC 4180). The separator is the one that the first line has most of. */
function cellsOf(text: string, rowsMax: number): string[][] {
  const [head = ''] = text.split('\n', 1)
  const count = (one: string) => head.split(one).length
  const separator = [',', ';', '\t'].reduce((a, b) => (count(b) > count(a) ? b : a))
  let row: string[] = []
  const rows = [row]
  let cell = ''
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '"') {
      const isEscaped = isQuoted && text[index + 1] === '"'
      if (!isEscaped) isQuoted = !isQuoted
      else cell += text[++index]
    } else if (isQuoted || ![separator, '\n', '\r'].includes(character)) {
      cell += character
    } else if (character !== '\r') {
      row.push(cell)
      cell = ''
      if (character === separator) continue
      if (rows.length === rowsMax) break
      row = []
      rows.push(row)
    }
  }
  if (cell !== '') row.push(cell)
  return rows.filter((cells) => cells.some((one) => one !== ''))
}

/** The member that the service takes a column for. */
export function memberOf(column: string): Member | undefined {
  const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')
  return members.find((member) => plain(member) === plain(column))
}

/** The parameter `columns` for what was chosen by hand. */
export function columnsParameter(
  columns: readonly string[],
  matched: readonly (Member | undefined)[],
): string | undefined {
  const pairs = columns.flatMap((column, index) => {
    const member = matched[index]
    return member === memberOf(column) ? [] : [`${column}:${member ?? ''}`]
  })
  return pairs.length === 0 ? undefined : pairs.join(',')
}
