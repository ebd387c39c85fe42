/**
 * What a failure of PostgreSQL means for the transaction that met it. `retry`: it is undone, and may
 * well succeed again. `refused`: nothing of it is stored. `unknown`: it may be stored or not.
 * `defect`: the statement is wrong, which is a fault of ours.
 */
type Failure = 'retry' | 'refused' | 'unknown' | 'defect'

/** SQLSTATEs (PostgreSQL, appendix A) by what they mean; a class is its first two characters. */
const retryable = new Set(['40001', '40P01'])
const refusing = new Set([
  '57014', // query_canceled: the statement timeout
  '55P03', // lock_not_available
  '25006', // read_only_sql_transaction: the server is a standby by now
  '25P03', // idle_in_transaction_session_timeout
])
const refusingClasses = new Set([
  '08', // connection exception, told by the server before anything ran
  '28', // invalid authorization
  '3D', // invalid catalog name
  '53', // insufficient resources
])
const endingClass = '57' // the server goes down or has crashed

export function failureOf(error: unknown): Failure {
  const state = stateOf(error)
  if (state === undefined) return 'unknown'
  if (retryable.has(state)) return 'retry'
  if (refusing.has(state) || refusingClasses.has(state.slice(0, 2))) return 'refused'
  return state.startsWith(endingClass) ? 'unknown' : 'defect'
}

/** Whether the connection is still good after this error. */
export function isConnectionGood(error: unknown): boolean {
  const state = stateOf(error)
  if (state === undefined || state === '25006') return false
  return !state.startsWith(endingClass) || state === '57014'
}

function stateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
