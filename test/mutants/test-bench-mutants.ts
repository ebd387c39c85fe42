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
  {
    fault: 'test bench: cut after the operation cuts before it',
    edits: [
      {
        file: 'src/test-bench/apply-faults.ts',
        find: "if (fault.cut === 'before')",
        replaceBy: "if (fault.cut === 'before' || fault.cut === 'after')",
      },
    ],
    tests: ['test/test-bench/faults.test.ts'],
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
    fault: 'test bench: runs no jobs when the clock changes',
    edits: [
      {
        file: 'src/test-bench/test-bench.ts',
        find: '    await runJobs()\n',
        replaceBy: '',
      },
    ],
    tests: ['test/test-bench/clock.test.ts'],
  },
  {
    fault: 'test bench: the journal shows keys in targets',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: 'target: mask(url, authorization)',
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
        find: 'shown[name] = mask(String(others[name]), authorization)',
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
  {
    fault: 'test bench: a seed gives other faults each time',
    edits: [
      {
        file: 'src/test-bench/faults.ts',
        find: 'random: seededRandom(newFault.seed ?? 0)',
        replaceBy: 'random: seededRandom(performance.now())',
      },
    ],
    tests: ['test/test-bench/faults.test.ts'],
  },
  {
    fault: 'test bench: an error in place of the response keeps the headers of the response',
    edits: [
      {
        file: 'src/test-bench/apply-faults.ts',
        find: '  removeOwnHeaders(reply, code)\n',
        replaceBy: '',
      },
    ],
    tests: ['test/test-bench/declared.test.ts'],
  },
  {
    fault: 'test bench: a forced 401 does not say how to authenticate',
    edits: [
      {
        file: 'src/test-bench/apply-faults.ts',
        find: 'headers: challengeFor(code, message, operation?.scope),',
        replaceBy: 'headers: challengeFor(code, message, operation?.scope) && {},',
      },
    ],
    tests: ['test/test-bench/declared.test.ts'],
  },
  {
    fault: 'test bench: the journal shows the response that a fault replaced',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: 'payload: replaced })',
        replaceBy: 'payload })',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: Prefer makes requests without a key wait',
    edits: [
      {
        file: 'src/test-bench/intercept.ts',
        find: "app.addHook('preParsing', (request, reply, payload, done) => {",
        replaceBy:
          "app.addHook('onRequest', (request, reply, last: (error?: Error) => void) => {\n    const payload = undefined\n    const done = (error: Error | null, _payload?: undefined) => last(error ?? undefined)",
      },
    ],
    tests: ['test/test-bench/faults.test.ts'],
  },
  {
    fault: 'test bench: a text that was harmless beside one key is shown beside another',
    edits: [
      {
        file: 'src/test-bench/masker.ts',
        find: 'secret !== lastSecret || ',
        replaceBy: '',
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: OPTIONS asks for a key',
    edits: [
      {
        file: 'src/test-bench/register.ts',
        find: "if (request.method === 'OPTIONS') {",
        replaceBy: "if (request.method === 'OPTIONS' && request.headers.authorization) {",
      },
    ],
    tests: ['test/test-bench/journal.test.ts'],
  },
  {
    fault: 'test bench: a cut within a missing body closes the connection before the header block',
    edits: [
      {
        file: 'src/test-bench/apply-faults.ts',
        find: 'if (hasBody) return truncate(reply, payload)',
        replaceBy: 'return truncate(reply, payload)',
      },
    ],
    tests: ['test/test-bench/faults.test.ts'],
  },
  {
    fault: 'test bench: a fixture file is read without a limit',
    edits: [
      {
        file: 'src/cli/read-fixture-file.ts',
        find: 'if (sizeBytes > fixtureSizeMaxBytes)',
        replaceBy: 'if (sizeBytes > fixtureSizeMaxBytes * 1_024)',
      },
    ],
    tests: ['src/cli/read-fixture-file.test.ts'],
  },
  {
    fault: 'startPetstore: a store in the process keeps it from ending',
    edits: [
      {
        file: 'src/app/service.ts',
        find: "  server.on('connection', (socket) => socket.unref())\n",
        replaceBy: '',
      },
    ],
    tests: ['test/cli/start-petstore.test.ts'],
  },
]
