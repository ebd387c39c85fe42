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
    fault: 'test bench: opens to pages where its path is percent-encoded',
    edits: [
      {
        file: 'src/http/server.ts',
        find: "function isClosedToPages({ routeOptions: { url = '' } }: FastifyRequest)",
        replaceBy: 'function isClosedToPages({ url }: FastifyRequest)',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: misses requests whose path is percent-encoded',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: '.test(routeOptions.url ?? url)',
        replaceBy: '.test(routeOptions.url ? url : url)',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: shows keys that were sent in bodies',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: 'holdsKey(text, authorization) ? maskKeys(text, authorization) : text',
        replaceBy: 'holdsKey(text, authorization) ? text : text',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: keeps all headers of 10,000 requests',
    edits: [
      {
        file: 'src/test-bench/journal.ts',
        find: 'count(kept, lengthOf(sent))',
        replaceBy: 'count(kept, lengthOf(sent) * 0)',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: makes resets at the same time',
    edits: [
      {
        file: 'src/test-bench/test-bench.ts',
        find: 'const result = last.then(run)',
        replaceBy: 'const result = run()',
      },
    ],
    tests: ['test/test-bench/contents.test.ts'],
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
]
