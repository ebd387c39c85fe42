/** What would make the test bench mislead a test, or open it to others, each a mutant as mutants.ts has them. */
export const testBenchMutants = [
  {
    fault: 'test bench: takes every key',
    edits: [
      {
        file: 'src/test-bench/register.ts',
        find: '!timingSafeEqual(digestOf(sent), digest)',
        replaceBy: 'digestOf(sent).length !== digest.length',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: shows keys that were sent in bodies',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: "return maskKeys(body.toString('utf8').slice(0, bodyMaxCharacters))",
        replaceBy: "return maskKeys('') + body.toString('utf8').slice(0, bodyMaxCharacters)",
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: a refused fixture leaves its first half',
    edits: [
      {
        file: 'src/test-bench/test-bench.ts',
        find: '      await snapshots.restore(undoName)\n      throw error',
        replaceBy: '      throw error',
      },
    ],
    tests: ['test/test-bench/contents.test.ts'],
  },
  {
    fault: 'test bench: a snapshot forgets which ids were assigned',
    edits: [
      {
        file: 'src/test-bench/queries.ts',
        find: 'select name, seq from temp.',
        replaceBy: 'select name, 0 from temp.',
      },
    ],
    tests: ['test/test-bench/contents.test.ts'],
  },
  {
    fault: 'test bench: a reset keeps the idempotency keys',
    edits: [
      {
        file: 'src/db/idempotency-storage.ts',
        find: '  mayBeDeleted: true,\n',
        replaceBy: '  mayBeDeleted: true,\n  survivesReset: true,\n',
      },
    ],
    tests: ['test/test-bench/contents.test.ts'],
  },
  {
    fault: 'test bench: the journal shows keys in targets',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: 'target: maskKeys(url)',
        replaceBy: 'target: url',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: the journal shows keys in headers',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: 'shown[name] = maskKeys(String(others[name]))',
        replaceBy: 'shown[name] = String(others[name])',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: takes a fault whose error the operation does not declare',
    edits: [
      {
        file: 'src/test-bench/faults.ts',
        find: 'if (error !== undefined && declared && !declared.has(error))',
        replaceBy: 'if (error !== undefined && declared?.size === 0)',
      },
    ],
    tests: ['test/test-bench/faults.test.ts'],
  },
  {
    fault: 'test bench: sends an error that an operation does not declare',
    edits: [
      {
        file: 'src/test-bench/faults.ts',
        find: "!errorsOf(candidate.operation ?? '')?.has(fault.error)",
        replaceBy: "errorsOf(candidate.operation ?? '')?.size === 0",
      },
    ],
    tests: ['test/test-bench/faults.test.ts'],
  },
  {
    fault: 'test bench: pages of other origins control the store',
    edits: [
      {
        file: 'src/http/server.ts',
        find: 'if (addCors && !isClosedToPages(request))',
        replaceBy: 'if (addCors)',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
]
