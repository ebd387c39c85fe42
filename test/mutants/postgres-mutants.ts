/** What the service could do wrong on PostgreSQL, each a mutant as mutants.ts has them. */
export const postgresMutants = [
  {
    fault: 'postgres: a mistyped sslmode connects without TLS',
    edits: [
      {
        file: 'src/db/postgres/address.ts',
        find: '  requireTlsParameters(parameters)\n',
        replaceBy: '',
      },
    ],
    tests: ['src/db/postgres/address.test.ts'],
  },
  {
    fault: 'postgres: repeats what may have been stored',
    edits: [
      {
        file: 'src/db/postgres/db.ts',
        find: "if (failureOf(error) !== 'retry' ||",
        replaceBy: "if (!['retry', 'unknown'].includes(failureOf(error)) ||",
      },
    ],
    tests: ['test/faults/postgres-connections.test.ts'],
  },
  {
    fault: 'postgres: joins a running query',
    edits: [
      {
        file: 'src/db/batching/shared-reads.ts',
        find: '  let isScheduled = false\n',
        replaceBy: '  let isScheduled = false\n  const underWay = new Map<string, Reading>()\n',
      },
      {
        file: 'src/db/batching/shared-reads.ts',
        find: 'let reading = readings.get(key)\n',
        replaceBy: 'let reading = readings.get(key) ?? underWay.get(key)\n',
      },
      {
        file: 'src/db/batching/shared-reads.ts',
        find: '      const inputs = readings.map(',
        replaceBy:
          '      for (const reading of readings) underWay.set(query.key(reading.input), reading)\n      const inputs = readings.map(',
      },
      {
        file: 'src/db/batching/shared-reads.ts',
        find: '    running -= 1\n    schedule()',
        replaceBy:
          '    for (const reading of readings) underWay.delete(query.key(reading.input))\n    running -= 1\n    schedule()',
      },
    ],
    tests: ['test/faults/postgres-connections.test.ts'],
  },
  {
    fault: 'postgres: trusts keys for ever when the database is down',
    edits: [
      {
        file: 'src/features/keys/key-cache.ts',
        find: 'const trustMaxMs = 2_000',
        replaceBy: 'const trustMaxMs = Number.POSITIVE_INFINITY',
      },
    ],
    tests: ['test/faults/postgres-keys.test.ts'],
  },
  {
    fault: 'postgres: does not retry 40001',
    edits: [
      {
        file: 'src/db/postgres/failures.ts',
        find: "  '40001',",
        replaceBy: "  '4000X',",
      },
    ],
    tests: ['test/faults/postgres-refusals.test.ts'],
  },
  {
    fault: 'postgres: accepts a standby',
    edits: [
      {
        file: 'src/db/postgres/primary.ts',
        find: 'if (isStandby) throw',
        replaceBy: 'if (!rows[0]) throw',
      },
    ],
    tests: ['test/faults/postgres-connections.test.ts'],
  },
  {
    fault: "postgres: sends the server's message to the client",
    edits: [
      {
        file: 'src/db/unavailable.ts',
        find: 'new Unavailable(message, {',
        replaceBy: 'new Unavailable(message + String(cause), {',
      },
    ],
    tests: ['test/faults/postgres-refusals.test.ts'],
  },
  {
    fault: 'postgres: ends when a connection breaks',
    edits: [
      {
        file: 'src/db/postgres/pool.ts',
        find: "      this.on('error', () => undefined)\n",
        replaceBy: '',
      },
    ],
    tests: ['test/faults/postgres-restart.test.ts'],
  },
  {
    fault: 'postgres: does not retry 23505',
    edits: [{ file: 'src/db/postgres/failures.ts', find: "  '23505',", replaceBy: "  '2350X'," }],
    tests: ['src/features/categories/update-category.test.ts'],
    engine: 'postgres' as const,
  },
  {
    fault: 'postgres: a filter for what is rare walks along the ids of a whole table',
    edits: [
      {
        file: 'src/db/postgres/sql.ts',
        find: 'isPlannedOnce: true',
        replaceBy: 'isPlannedOnce: false',
      },
    ],
    tests: ['test/postgres/plans.test.ts'],
  },
  {
    fault: 'postgres standby: acknowledges a commit that came with a warning',
    edits: [
      {
        file: 'src/db/postgres/sql.ts',
        find: 'if (warning !== undefined) throw',
        replaceBy: "if (warning === '') throw",
      },
    ],
    tests: ['test/faults/postgres-standby.test.ts'],
  },
  {
    fault: 'postgres: a batch of several statements is stored in part',
    edits: [
      {
        file: 'src/db/postgres/db.ts',
        find: ': inTransaction(pool, work)',
        replaceBy: ': retried(() => pool.withConnection(work))',
      },
    ],
    tests: ['test/postgres/batches.test.ts'],
  },
  {
    fault: 'postgres standby: looks for warnings only at explicit commits',
    edits: [
      {
        file: 'src/db/postgres/db.ts',
        find: 'sql.confirmed(() => work(sql))',
        replaceBy: 'work(sql)',
      },
    ],
    tests: ['test/faults/postgres-standby.test.ts'],
  },
  {
    fault: 'postgres standby: leaves it to the role which messages are sent',
    edits: [
      {
        file: 'src/db/postgres/primary.ts',
        find: "set_config('client_min_messages', 'warning', false)",
        replaceBy: "current_setting('client_min_messages')",
      },
    ],
    tests: ['test/faults/postgres-standby.test.ts'],
  },
  {
    fault: 'postgres standby: leaves synchronous_commit local',
    edits: [
      {
        file: 'src/db/postgres/primary.ts',
        find: "in ('off', 'local')",
        replaceBy: "in ('off')",
      },
    ],
    tests: ['test/faults/postgres-standby.test.ts'],
  },
  {
    fault: 'postgres standby: replays a result that no standby has',
    edits: [
      {
        file: 'src/db/idempotency.ts',
        find: '{sql.forUpdate}`,\n      claimId',
        replaceBy: "{''}`,\n      claimId",
      },
    ],
    tests: ['test/faults/postgres-standby.test.ts'],
  },
  {
    fault: 'postgres standby: mistakes a rollback for a commit',
    edits: [
      {
        file: 'src/db/postgres/sql.ts',
        find: "if (command !== 'COMMIT') throw",
        replaceBy: "if (command === '') throw",
      },
    ],
    tests: ['test/faults/postgres-standby.test.ts'],
  },
  {
    fault: 'scans: each count runs by itself',
    edits: [
      {
        file: 'src/db/lists/page.ts',
        find: '      key: (filter) => keyOf(list.conditionsOf(filter)),\n',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/postgres-refusals.test.ts', 'src/db/batching/shared-scans.test.ts'],
  },
  {
    fault: 'scans: joins a running one',
    edits: [
      {
        file: 'src/db/batching/shared-scans.ts',
        find: 'if (task.isWaiting()) waiting.set(key, task)',
        replaceBy: 'waiting.set(key, task)',
      },
      {
        file: 'src/db/batching/shared-scans.ts',
        find: '        waiting.delete(key)\n        return run',
        replaceBy: '        return run',
      },
    ],
    tests: ['src/db/batching/shared-scans.test.ts'],
  },
  {
    fault: 'scans: refuses one that joined with the one that had waited before',
    edits: [
      {
        file: 'src/db/batching/limiter.ts',
        find: 'if (clients.size === 0) waiting.delete(place)',
        replaceBy: 'waiting.delete(place)',
      },
    ],
    tests: ['src/db/batching/shared-scans.test.ts'],
  },
  {
    fault: 'searches: a page that the first records do not fill is the last',
    edits: [
      {
        file: 'src/db/lists/search.ts',
        find: 'if (rows.length > search.page.limit) return rows',
        replaceBy: 'if (rows.length > 0) return rows',
      },
    ],
    tests: ['src/features/pets/search-strategies.test.ts'],
  },
  {
    fault: 'searches: walks no further than an estimate says',
    edits: [
      {
        file: 'src/db/lists/search.ts',
        find: '?? sortMatches(sql, search)\n}\n\n/** The matches among',
        replaceBy: '?? []\n}\n\n/** The matches among',
      },
    ],
    tests: ['src/features/pets/search-strategies.test.ts'],
  },
  {
    fault: 'searches: also sorts what is before the cursor',
    edits: [
      {
        file: 'src/db/lists/search.ts',
        find: '{where(isBehind)} order by found',
        replaceBy: "{''} order by found",
      },
    ],
    tests: ['src/features/pets/search-strategies.test.ts'],
  },
  {
    fault: 'postgres: takes a lost connection for a refusal',
    edits: [
      {
        file: 'src/db/postgres/failures.ts',
        find: "UnconfirmedCommit) return 'unknown'",
        replaceBy: "UnconfirmedCommit) return 'refused'",
      },
    ],
    tests: ['src/db/postgres/failures.test.ts'],
  },
]
