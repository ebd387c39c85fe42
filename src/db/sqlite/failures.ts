/** SQLite's primary result codes that we tell apart (sqlite.org/rescode.html). */
const primaryCodes = {
  5: 'busy',
  8: 'readonly',
  10: 'io',
  11: 'damaged',
  13: 'full',
  14: 'cantOpen',
  26: 'notADatabase',
} as const

type Failure = (typeof primaryCodes)[keyof typeof primaryCodes]

/** Whether a page of the database is not what SQLite wrote. The connection is sound, and other pages may be. */
export function isDamage(error: unknown): error is Error {
  const failure = failureOf(error)
  return failure === 'damaged' || failure === 'notADatabase'
}

/** What kind of failure of the database an error is; `undefined` when it is none, but a defect of ours. */
export function failureOf(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  const primary = Number(error.errcode) & 0xff
  return primaryCodes[primary as keyof typeof primaryCodes]
}
