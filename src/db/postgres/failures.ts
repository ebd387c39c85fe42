import pg from 'pg'
import { LockTimeout } from '../errors.ts'

/**
 * The effect of a PostgreSQL failure on its transaction. `retry`: rolled back, may succeed on a retry. `refused`:
 * nothing is stored. `unknown`: stored or not. `defect`: the statement is wrong, a bug of the service.
 */
type Failure = 'retry' | 'refused' | 'unknown' | 'defect'

type Effect = {
  failure: Failure
  /** `ended`: the server has closed the connection or cancelled its session. `readOnly`: it refuses writes. */
  connection?: 'ended' | 'readOnly'
  /** Somebody has changed rights or the schema; the statement succeeds once that is undone. */
  repair?: 'access' | 'schema'
}

export const successClass = '00'
export const lockNotAvailable = '55P03'
export const rightIsMissing = '42501'

const access: Effect = { failure: 'refused', repair: 'access' }
const schema: Effect = { failure: 'refused', repair: 'schema' }

/** By SQLSTATE (PostgreSQL, appendix A), else by its class, the first two characters. */
const effects: Readonly<Record<string, Effect>> = {
  '08': { failure: 'unknown', connection: 'ended' }, // connection exception: a pooler has lost its server
  '0A000': { ...schema, connection: 'ended' }, // feature_not_supported: a prepared statement would have another result
  '23505': { failure: 'retry' }, // unique_violation: a concurrent transaction wrote the key first, and a retry sees it
  '25006': { failure: 'refused', connection: 'readOnly' }, // read_only_sql_transaction: the server is a standby by now
  '25P03': { failure: 'refused', connection: 'ended' }, // idle_in_transaction_session_timeout
  '28': access, // invalid authorization
  '3D': access, // invalid catalog name
  '3F000': schema, // invalid_schema_name
  '40001': { failure: 'retry' }, // serialization_failure
  '40P01': { failure: 'retry' }, // deadlock_detected
  [rightIsMissing]: access,
  '42703': schema, // undefined_column
  '42704': schema, // undefined_object
  '42804': schema, // datatype_mismatch
  '42809': schema, // wrong_object_type: such as a view in place of a table
  '42883': schema, // undefined_function: such as an operator for another type
  '42P01': schema, // undefined_table
  '53': { failure: 'refused' }, // insufficient resources
  '57': { failure: 'unknown', connection: 'ended' }, // operator intervention: the server shuts down or has crashed
  '57014': { failure: 'refused' }, // query_canceled: the statement timeout
}

function effectOf(error: unknown): Effect {
  const state = stateOf(error) ?? ''
  return effects[state] ?? effects[state.slice(0, 2)] ?? { failure: 'defect' }
}

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
export function repairOf(error: unknown): Effect['repair'] {
  return effectOf(error).repair
}

export function failureOf(error: unknown): Failure {
  if (error instanceof ConnectionFailure || error instanceof UnconfirmedCommit) return 'unknown'
  return error instanceof LockTimeout ? 'refused' : effectOf(error).failure
}

/** Whether the statement was rolled back for the values of a row. */
export function isDataError(error: unknown): boolean {
  return dataClasses.has(stateOf(error)?.slice(0, 2) ?? '')
}

/** The effect of a failure on its connection. `broken`: it broke or timed out, and the other connections may be dead too. */
export function connectionAfter(
  error: unknown,
): 'good' | 'broken' | NonNullable<Effect['connection']> {
  if (error instanceof ConnectionFailure) return 'broken'
  if (error instanceof UnconfirmedCommit) return 'ended'
  return effectOf(error).connection ?? 'good'
}

/** Whether the server has no session free. */
export function isFull(error: unknown): boolean {
  return stateOf(error)?.startsWith('53') ?? false
}

/** The SQLSTATE of a server's error. Errors of Node are excluded: a code such as EPIPE looks like a SQLSTATE. */
export function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}
