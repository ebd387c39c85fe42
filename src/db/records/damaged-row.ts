/** Stored data cannot be sent: its readers get a 500, the log names it, and other requests are unaffected. */
export class Damage extends Error {
  override name = 'Damage'
}

/** A stored row with values that the service never writes. */
export class DamagedRow extends Damage {
  readonly columns: string

  constructor(table: string, id: unknown, columns: string) {
    super(
      `Row ${id} of ${table} is damaged (${columns}), so it was not sent. petstore verify says what to do.`,
    )
    this.columns = columns
  }
}

/** What `read` returns, or the damage that it throws: damage fails only the read that found it. */
export function orDamage<T>(read: () => T): T | DamagedRow {
  try {
    return read()
  } catch (error) {
    if (error instanceof DamagedRow) return error
    throw error
  }
}

/** The rows that are not damaged, read; the others are added to `damaged`. */
export function readSound<Read, Item>(
  rows: readonly Read[],
  read: (row: Read) => Item,
  damaged: DamagedRow[] = [],
): Item[] {
  return rows.flatMap((row) => {
    const item = orDamage(() => read(row))
    if (!(item instanceof DamagedRow)) return [item]
    damaged.push(item)
    return []
  })
}

/** Throws DamagedRow with the names of the invalid columns. */
export function requireSound(
  table: string,
  id: unknown,
  isSound: Readonly<Record<string, boolean>>,
): void {
  const damaged = Object.keys(isSound).filter((column) => !isSound[column])
  if (damaged.length > 0) throw new DamagedRow(table, id, damaged.join(', '))
}

export function isWithin(value: unknown, least: bigint, most: bigint): boolean {
  return typeof value === 'bigint' && value >= least && value <= most
}

const int64Max = 2n ** 63n - 1n

export function isId(value: unknown): boolean {
  return isWithin(value, 1n, int64Max)
}

const controlCharacter = /\p{Cc}/u

/** A client's text: without control characters. Invalid UTF-8 is read as U+FFFD, which a text may have; `verify` finds it. */
export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !controlCharacter.test(value)
}

/** As `isText`, also with tabs and line ends. */
export function isLines(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && isText(value.replace(/[\t\n\r]/g, ' '))
}

/** JSON text of an array of such items. */
export function isJsonList(text: unknown, isItem: (item: unknown) => boolean): boolean {
  try {
    const items: unknown = JSON.parse(text as string)
    return Array.isArray(items) && items.every(isItem)
  } catch {
    return false
  }
}
