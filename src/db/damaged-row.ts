/** What is stored cannot be sent: a 500 for those who asked for it, a line in the log that says what it is, and no harm to others. */
export class Damage extends Error {
  override name = 'Damage'
}

/** A stored row that is not such as the program writes. */
export class DamagedRow extends Damage {
  constructor(table: string, id: unknown, columns: string) {
    super(
      `Row ${id} of ${table} is damaged (${columns}), so it was not sent. Run petstore verify, and restore a backup.`,
    )
  }
}

/** Throws DamagedRow, naming the columns whose value is not sound. */
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

/** Bytes that are no UTF-8 are read as U+FFFD, which may also be a character of a text: see `selectIsRead`. */
const controlCharacter = /\p{Cc}/u

/** Words of a client: a text without control characters. */
export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !controlCharacter.test(value)
}
