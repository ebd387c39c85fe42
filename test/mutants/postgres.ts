/** PostgreSQL. */
export const postgres = `
orders: postgres: does not lock the pet that it looks at
  tests: test/faults/orders-postgres.full.test.ts
  src/db/postgres/sql.ts
  - forUpdate: ' for update'
  + forUpdate: ''
orders: postgres: locks pets as their orders become due
  tests: test/faults/orders-postgres.full.test.ts
  src/features/sales/queries.ts
  - '?1')} order by id
  + '?1')} order by array_position(?1::bigint[], id)
postgres: a mistyped sslmode connects without TLS
  tests: src/db/postgres/address.test.ts
  src/db/postgres/address.ts
  -   requireKnown(parameters)
postgres: repeats what may have been stored
  tests: test/faults/postgres-connections.test.ts
  src/db/postgres/writes.ts
  - failureOf(error) === 'retry' ||
  + ['retry', 'unknown'].includes(failureOf(error)) ||
postgres: a session in use that has ended is forgotten before its failure is known
  tests: test/postgres/pool.test.ts
  src/db/postgres/sessions.ts
  - good: 'idle', closed: 'cut',
  + good: 'idle', closed: 'doubted',
postgres: a session that fails late closes those that were opened since
  tests: test/postgres/pool.test.ts
  src/db/postgres/primary.ts
  - if (!isDoubted()) {
  + if (pooled) {
postgres: trusts keys for ever when the database is down
  tests: src/http/authenticate.test.ts
  src/features/keys/key-cache.ts
  - const trustMaxMs = 2_000
  + const trustMaxMs = Number.POSITIVE_INFINITY
postgres: does not retry 40001
  tests: test/faults/postgres-refusals.full.test.ts
  src/db/postgres/failures.ts
  - '40001': {
  + '4000X': {
postgres: accepts a standby
  tests: test/faults/postgres-connections.test.ts
  src/db/postgres/session.ts
  - if (isStandby) throw
  + if (!role) throw
postgres: sends the server's message to the client
  tests: test/faults/postgres-refusals.full.test.ts
  src/db/errors.ts
  - new Unavailable(message, {
  + new Unavailable(message + String(cause), {
postgres: ends when a connection breaks
  tests: test/faults/postgres-restart.full.test.ts
  src/db/postgres/session.ts
  -   client.on('error', () => undefined)
postgres: a filter for what is rare walks along the ids of a whole table
  tests: test/postgres/plans.test.ts
  src/db/postgres/sql.ts
  - isPlannedOnce: true
  + isPlannedOnce: false
postgres standby: acknowledges a commit that came with a warning
  tests: test/faults/postgres-standby.full.test.ts
  src/db/postgres/sql.ts
  - if (warning !== undefined) throw
  + if (warning === '') throw
postgres: a batch of several statements is stored in part
  tests: test/postgres/batches.test.ts
  src/db/postgres/transaction.ts
  - await sql.command('rollback')
  + await sql.command('commit')
postgres standby: looks for warnings only at explicit commits
  tests: test/faults/postgres-standby.full.test.ts
  src/db/postgres/transaction.ts
  - return sql.confirmed(() =>
  + return isAlone ? sql.send(text, parameters) : sql.confirmed(() =>
postgres standby: leaves it to the role which messages are sent
  tests: test/faults/postgres-standby.full.test.ts
  src/db/postgres/session.ts
  -   client_min_messages: 'warning',
postgres: leaves it to the role how arrays are read
  tests: test/postgres/session-settings.test.ts
  src/db/postgres/session.ts
  -   array_nulls: 'on',
postgres: leaves it to the role how definitions are printed
  tests: test/postgres/session-settings.test.ts
  src/db/postgres/session.ts
  -   quote_all_identifiers: 'off',
postgres standby: leaves synchronous_commit local
  tests: test/faults/postgres-standby.full.test.ts
  src/db/postgres/session.ts
  - in ('off', 'local')
  + in ('off')
postgres standby: replays a result that no standby has
  tests: test/faults/postgres-standby.full.test.ts
  src/db/writes/idempotency.ts
  - {sql.forUpdate}\`))
  + {''}\`))
postgres standby: mistakes a rollback for a commit
  tests: test/faults/postgres-standby.full.test.ts
  src/db/postgres/sql.ts
  - if (command === 'COMMIT') return
  + if (command !== '') return
postgres: takes a lost connection for a refusal
  tests: src/db/postgres/failures.test.ts
  src/db/postgres/failures.ts
  - UnconfirmedCommit) return 'unknown'
  + UnconfirmedCommit) return 'refused'
postgres: an event is shown before one with a lower id
  tests: test/postgres/events-order.test.ts
  src/db/postgres/commit-order.ts
  - settled: locked < last ? locked : last
  + settled: locked < 0n ? locked : last
postgres: nothing says that an event is still to come
  tests: test/postgres/events-order.test.ts
  src/db/postgres/commit-order.ts
  - pg_advisory_xact_lock_shared(
  + abs(
PostgreSQL: a store moves while it is served
  tests on postgres: src/admin/backup/leave-store.test.ts
  src/db/postgres/store-lock.ts
  - if (await takes(client, 'pg_try_advisory_lock_shared')) return
  + if (client) return
PostgreSQL: texts of keys are ordered by a locale, so that equal tables differ
  tests on postgres: src/db/copying/copy-store.test.ts
  src/db/postgres/store-reader.ts
  - collate "C"
  + collate "en-x-icu"
writes: postgres: a refusal undoes its neighbours
  tests on postgres: src/db/writes/run-write.test.ts
  src/db/postgres/transaction.ts
  - end(rollback, release)
  + end('rollback', 'begin')
writes: postgres: a batch whose outcome is unknown is run again
  tests: test/postgres/batch-failures.test.ts
  src/db/postgres/writes.ts
  - if (failure === 'retry') return true
  + if (failure === 'retry' || failure === 'unknown') return true
writes: postgres: an order waits for a held key with its pet locked
  tests: test/postgres/contention.test.ts
  src/db/postgres/writes.ts
  -     if (job.claim) await passClaim(job.claim)
`
