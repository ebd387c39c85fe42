import pg from 'pg'
import { LockTimeout } from '../errors.ts'

/**
 * What a failure of PostgreSQL means for the transaction that met it. `retry`: it is undone, and may
 * well succeed again. `refused`: nothing of it is stored. `unknown`: it may be stored or not.
 * `defect`: the statement is wrong, which is a fault of ours.
 */
type Failure = 'retry' | 'refused' | 'unknown' | 'defect'

/** SQLSTATEs (PostgreSQL, appendix A) by what they mean; a class is its first two characters. */
const retryable = new Set(['40001', '40P01'])
export const successClass = '00'
export const lockNotAvailable = '55P03'
export const rightIsMissing = '42501'
const refusing = new Set([
  '57014', // query_canceled: the statement timeout
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

/** The connection broke while an answer was due, or no answer came in time. */
export class ConnectionFailure extends Error {
  override name = 'ConnectionFailure'
  constructor(cause: unknown) {
    super('The connection to the database failed.', { cause })
  }
}

/** The server committed and warned: a standby that has to confirm commits may lack this one. */
export class UnconfirmedCommit extends Error {
  override name = 'UnconfirmedCommit'
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ConnectionFailure || error instanceof UnconfirmedCommit) return 'unknown'
  if (error instanceof LockTimeout) return 'refused'
  const state = stateOf(error)
  if (state === undefined) return 'defect'
  if (retryable.has(state)) return 'retry'
  if (refusing.has(state) || refusingClasses.has(state.slice(0, 2))) return 'refused'
  return state.startsWith(endingClass) ? 'unknown' : 'defect'
}

/**
 * What a failure says of the connection that met it. `ended`: the server has closed it, or somebody
 * interferes with its session. `readOnly`: it leads to a server that takes no writes. `broken`: it broke,
 * or nothing came in time, and its siblings may be as dead.
 */
export function connectionAfter(error: unknown): 'good' | 'ended' | 'readOnly' | 'broken' {
  if (error instanceof ConnectionFailure) return 'broken'
  if (error instanceof UnconfirmedCommit) return 'ended'
  const state = stateOf(error) ?? ''
  if (state === '25006') return 'readOnly'
  const isEnded = state.startsWith('08') || state === '25P03' || isEnding(state)
  return isEnded ? 'ended' : 'good'
}

function isEnding(state: string): boolean {
  return state.startsWith(endingClass) && state !== '57014'
}

/** The SQLSTATE, where the server itself has spoken: codes such as EPIPE look like one. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
