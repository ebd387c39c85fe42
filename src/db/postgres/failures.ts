import pg from 'pg'
import { LockTimeout } from '../errors.ts'

/**
 * The effect of a PostgreSQL failure on its transaction. `retry`: rolled back, may succeed on a retry. `refused`:
 * nothing is stored. `unknown`: stored or not. `defect`: the statement is wrong, a bug of the service.
 */
type Failure = 'retry' | 'refused' | 'unknown' | 'defect'

/** SQLSTATEs (PostgreSQL, appendix A) by effect; a class is the first two characters. */
const retryable = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '23505', // unique_violation: a concurrent transaction wrote the key first, and a retry sees it
])
export const successClass = '00'
export const lockNotAvailable = '55P03'
export const rightIsMissing = '42501'
const refusing = new Set([
  '57014', // query_canceled: the statement timeout
  '25006', // read_only_sql_transaction: the server is a standby by now
  '25P03', // idle_in_transaction_session_timeout
])
const refusingClasses = new Set([
  '28', // invalid authorization
  '3D', // invalid catalog name
  '53', // insufficient resources
])
/** Somebody has changed rights or the schema; the statement succeeds once that is undone. */
const repairable: Readonly<Record<string, 'access' | 'schema'>> = {
  [rightIsMissing]: 'access',
  '0A000': 'schema', // feature_not_supported: a prepared statement would have another result
  '3F000': 'schema', // invalid_schema_name
  '42703': 'schema', // undefined_column
  '42704': 'schema', // undefined_object
  '42804': 'schema', // datatype_mismatch
  '42809': 'schema', // wrong_object_type: such as a view in place of a table
  '42883': 'schema', // undefined_function: such as an operator for another type
  '42P01': 'schema', // undefined_table
}
const endingClasses = new Set([
  '08', // connection exception: a pooler has lost its server
  '57', // operator intervention: the server shuts down or has crashed
])
/** Classes of errors of one row: data exception, integrity constraint violation. */
const dataClasses = new Set(['22', '23'])

/** The connection broke during a statement, or the statement timed out. */
export class ConnectionFailure extends Error {
  override name = 'ConnectionFailure'
  constructor(cause: unknown) {
    super('The connection to the database failed.', { cause })
  }
}

/** The server committed with a warning: a synchronous standby may lack the commit. */
export class UnconfirmedCommit extends Error {
  override name = 'UnconfirmedCommit'
}

/** What only an operator can repair. */
export function repairOf(error: unknown): 'access' | 'schema' | undefined {
  const state = stateOf(error)
  if (state === undefined) return undefined
  return ['28', '3D'].includes(state.slice(0, 2)) ? 'access' : repairable[state]
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ConnectionFailure || error instanceof UnconfirmedCommit) return 'unknown'
  if (error instanceof LockTimeout) return 'refused'
  const state = stateOf(error)
  if (state === undefined) return 'defect'
  if (retryable.has(state)) return 'retry'
  if (refusing.has(state) || refusingClasses.has(state.slice(0, 2))) return 'refused'
  if (repairOf(error)) return 'refused'
  return endingClasses.has(state.slice(0, 2)) ? 'unknown' : 'defect'
}

/** Whether the statement was rolled back for the values of a row. */
export function isDataError(error: unknown): boolean {
  return dataClasses.has(stateOf(error)?.slice(0, 2) ?? '')
}

/**
 * The effect of a failure on its connection. `ended`: the server has closed it or cancelled its session. `readOnly`:
 * its server refuses writes. `broken`: it broke or timed out, and the other connections may be dead too.
 */
export function connectionAfter(error: unknown): 'good' | 'ended' | 'readOnly' | 'broken' {
  if (error instanceof ConnectionFailure) return 'broken'
  if (error instanceof UnconfirmedCommit) return 'ended'
  const state = stateOf(error) ?? ''
  if (state === '25006') return 'readOnly'
  const isEnded = state.startsWith('0A') || state === '25P03' || isEnding(state)
  return isEnded ? 'ended' : 'good'
}

function isEnding(state: string): boolean {
  return endingClasses.has(state.slice(0, 2)) && state !== '57014'
}

/** Whether the server has no session free. */
export function isFull(error: unknown): boolean {
  return stateOf(error)?.startsWith('53') ?? false
}

/** The SQLSTATE of a server's error. Errors of Node are excluded: a code such as EPIPE looks like a SQLSTATE. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
