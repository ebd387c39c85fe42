import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { LockTimeout } from '../errors.ts'
import { ConnectionFailure, connectionAfter, failureOf, UnconfirmedCommit } from './failures.ts'

const cases: readonly [
  error: string | Error,
  failure: ReturnType<typeof failureOf>,
  connection: ReturnType<typeof connectionAfter>,
][] = [
  [new ConnectionFailure(new Error('read ECONNRESET')), 'unknown', 'broken'],
  [new UnconfirmedCommit('canceling the wait for synchronous replication'), 'unknown', 'ended'],
  [new LockTimeout('canceling statement due to lock timeout'), 'refused', 'good'],
  ['57P01', 'unknown', 'ended'], // admin_shutdown
  ['57P02', 'unknown', 'ended'], // crash_shutdown
  ['57014', 'refused', 'good'], // query_canceled
  ['25006', 'refused', 'readOnly'], // read_only_sql_transaction
  ['25P03', 'refused', 'ended'], // idle_in_transaction_session_timeout
  ['08006', 'unknown', 'ended'], // connection_failure
  ['28P01', 'refused', 'good'], // invalid_password
  ['3D000', 'refused', 'good'], // invalid_catalog_name
  ['53300', 'refused', 'good'], // too_many_connections
  ['40001', 'retry', 'good'], // serialization_failure
  ['40P01', 'retry', 'good'], // deadlock_detected
  ['23505', 'retry', 'good'], // unique_violation
  ['42501', 'refused', 'good'], // insufficient_privilege
  ['42P01', 'refused', 'good'], // undefined_table
  ['42703', 'refused', 'good'], // undefined_column
  ['0A000', 'refused', 'ended'], // feature_not_supported: of a prepared statement
  ['42601', 'defect', 'good'], // syntax_error
  [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), 'defect', 'good'],
]

for (const [cause, failure, connection] of cases) {
  const error = typeof cause === 'string' ? errorOfServer(cause) : cause
  const title = typeof cause === 'string' ? `SQLSTATE ${cause}` : `${cause.name} (${cause.message})`

  it(`${title}: the outcome is ${failure}, the connection ${connection}`, () => {
    assert.equal(failureOf(error), failure)
    assert.equal(connectionAfter(error), connection)
  })
}

function errorOfServer(state: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code: state })
}
