/** Mutants of writes: many inputs in one transaction, with an outcome for each. */
export const writeMutants = [
  {
    fault: 'writes: a refusal undoes its neighbours',
    file: 'src/db/sqlite/serving/commit.ts',
    find: "'rollback to input; release input'",
    replaceBy: "'rollback; begin immediate'",
    tests: ['src/db/run-write.test.ts'],
  },
  {
    fault: 'writes: postgres: a refusal undoes its neighbours',
    file: 'src/db/postgres/transaction.ts',
    find: 'end(rollback, release)',
    replaceBy: "end('rollback', 'begin')",
    tests: ['src/db/run-write.test.ts'],
    engine: 'postgres' as const,
  },
  {
    fault: 'writes: what a refused input wrote stays',
    file: 'src/db/sqlite/serving/commit.ts',
    find: "'rollback to input; release input'",
    replaceBy: "'release input'",
    tests: ['src/db/run-write.test.ts'],
  },
  {
    fault: 'writes: the event of a refused input stays',
    edits: [
      {
        file: 'src/db/run-write.ts',
        find: "      if ('refusal' in outcome) recorded.length = before\n",
        replaceBy: '',
      },
      {
        file: 'src/db/run-write.ts',
        find: "if ('value' in (ran[index] as Ran)) origins",
        replaceBy: 'origins',
      },
    ],
    tests: ['src/db/run-write.test.ts'],
  },
  {
    fault: 'writes: a refusal is answered as a success',
    file: 'src/db/sqlite/serving/assemble.ts',
    find: "if ('refusal' in outcome) throw new Refusal(outcome.refusal.code, outcome.refusal.message)",
    replaceBy: "if ('refusal' in outcome) return { value: {} }",
    tests: ['src/db/run-write.test.ts', 'src/features/batches.test.ts'],
  },
  {
    fault: 'writes: a success is answered as the refusal of a neighbour',
    file: 'src/db/run-write.ts',
    find: 'if (outcomes.length === jobs.length) return outcomes',
    replaceBy: 'if (outcomes.length === jobs.length) return outcomes.toReversed()',
    tests: ['src/features/batches.test.ts'],
  },
  {
    fault: 'writes: two requests with one key are both performed when they share a batch',
    edits: [
      {
        file: 'src/db/run-write.ts',
        find: 'if (firsts.has(id) || (',
        replaceBy: 'if ((',
      },
      {
        file: 'src/db/run-write.ts',
        find: 'firsts.set(id, job)',
        replaceBy: 'firsts.set(firsts.has(id) ? job : id, job)',
      },
      {
        file: 'src/db/idempotency.ts',
        find: 'if (stored.length < results.length) throw',
        replaceBy: 'if (stored.length > results.length) throw',
      },
    ],
    tests: ['src/db/run-write.test.ts'],
  },
  {
    fault: 'writes: stores a claim without its result',
    file: 'src/db/idempotency.ts',
    find: 'encodeTagged(claim.isWithheld ? withheld : value)',
    replaceBy: 'encodeTagged(withheld)',
    tests: ['src/db/run-write.test.ts'],
  },
  {
    fault: 'writes: stores a claim for a refusal',
    file: 'src/db/run-write.ts',
    find: 'else if (claim) refused.push(claim)',
    replaceBy: 'else if (claim) results.push({ claim, value: null })',
    tests: ['src/db/run-write.test.ts'],
  },
  {
    fault: 'writes: postgres: a batch whose outcome is unknown is run again',
    file: 'src/db/postgres/writes.ts',
    find: "if (failure === 'retry') return true",
    replaceBy: "if (failure === 'retry' || failure === 'unknown') return true",
    tests: ['test/postgres/batch-failures.test.ts'],
  },
  {
    fault: 'writes: postgres: an order waits for a held key with its pet locked',
    file: 'src/db/postgres/writes.ts',
    find: '    if (job.claim) await passClaim(job.claim)\n',
    replaceBy: '',
    tests: ['test/postgres/contention.test.ts'],
  },
  {
    fault: 'orders: gives the last units to those who ordered last',
    edits: [
      ['orders.map((order) => {', 'orders.toReversed().map((order) => {'],
      ['accepted.push(', 'accepted.unshift('],
      ['      return shortage\n    })', '      return shortage\n    }).reverse()'],
    ].map(([find = '', replaceBy = '']) => ({
      file: 'src/features/sales/create-order.ts',
      find,
      replaceBy,
    })),
    tests: ['src/features/batches.test.ts'],
  },
]
