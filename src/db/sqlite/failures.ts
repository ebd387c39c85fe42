/** The primary result codes of SQLite that the service distinguishes (sqlite.org/rescode.html). */
const primaryCodes = {
  5: 'busy',
  8: 'readonly',
  10: 'io',
  11: 'damaged',
  13: 'full',
  14: 'cantOpen',
  18: 'damaged',
  26: 'notADatabase',
} as const

type Failure = (typeof primaryCodes)[keyof typeof primaryCodes]

/** Whether a page of the database is damaged. The connection, and other pages, may still be used. */
export function isDamage(error: unknown): error is Error {
  const failure = failureOf(error)
  return failure === 'damaged' || failure === 'notADatabase'
}

/** What a read returns; `undefined` where it meets a damaged page. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/** The kind of database failure; `undefined` for other errors, which are bugs. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  const primary = Number(error.errcode) & 0xff
  return primaryCodes[primary as keyof typeof primaryCodes]
}

/** Whether a row was refused, since it breaks a constraint of its table. */
export function isViolation(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 19
}

export function describeDamage(error: Error): string {
  return `The database file is damaged: ${error.message}. Run petstore verify, and restore a backup.`
}
