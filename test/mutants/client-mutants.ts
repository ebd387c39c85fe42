/** What the client could do wrong, each a mutant as mutants.ts has them. */
export const clientMutants = [
  {
    fault: 'client: makes a new idempotency key for each attempt',
    edits: [
      {
        file: 'client/src/transport.ts',
        find: 'const reply = await this.#attempt(request, options)',
        replaceBy:
          'const reply = await this.#attempt(await prepare(settings, operation, input, options), options)',
      },
    ],
    tests: ['test/client/retries.test.ts'],
  },
  {
    fault: 'client: repeats a change that has no If-Match',
    edits: [
      {
        file: 'client/src/retry.ts',
        find: "method === 'DELETE' || isKeyed",
        replaceBy: "method === 'DELETE' || method === 'PATCH' || isKeyed",
      },
    ],
    tests: ['test/client/retries.test.ts'],
  },
  {
    fault: 'client: ignores Retry-After',
    edits: [
      {
        file: 'client/src/retry.ts',
        find: "headers?.get('retry-after')",
        replaceBy: "headers?.get('retry-before')",
      },
    ],
    tests: ['test/client/retries.test.ts'],
  },
  {
    fault: 'client: says that nothing can have happened when an answer is lost',
    edits: [
      {
        file: 'client/src/retry.ts',
        find: 'if (status === undefined) return !isNotConnected(cause)',
        replaceBy: 'if (status === undefined) return isNotConnected(cause)',
      },
    ],
    tests: ['test/client/retries.test.ts', 'test/client/client.test.ts'],
  },
  {
    fault: 'client: rounds integers of answers',
    edits: [
      {
        file: 'client/src/reply.ts',
        find: 'const data = parseJson(text)',
        replaceBy: 'const data = JSON.parse(text)',
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: takes an empty list of ids for none at all',
    edits: [
      {
        file: 'client/src/request.ts',
        find: 'if (values.length > 0) return',
        replaceBy: 'if (values.length >= 0) return',
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: sends a key of the other environment',
    edits: [
      {
        file: 'client/src/settings.ts',
        find: 'if (environment !== undefined && key.startsWith(prefixes[other]))',
        replaceBy: "if (environment !== undefined && key === '')",
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: stops a walk after the first page',
    edits: [
      {
        file: 'client/src/list.ts',
        find: 'yield page\n      page = await page.next()',
        replaceBy: 'yield page\n      page = undefined',
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: has no method for an operation',
    edits: [
      {
        file: 'client/src/generated/orders.ts',
        find: "  path: '/store/orders/{orderId}/ship',",
        replaceBy: "  path: '/store/orders/{orderId}/deliver',",
      },
    ],
    tests: ['test/client/operations.test.ts', 'test/client/retries.test.ts'],
  },
  {
    fault: 'client: takes an order that does not exist for cancelled',
    edits: [
      {
        file: 'client/src/transport.ts',
        find: "operation.id.startsWith('delete') &&",
        replaceBy: "operation.method === 'DELETE' &&",
      },
    ],
    tests: ['test/client/retries.test.ts'],
  },
  {
    fault: 'client: lets the service ignore a filter that it does not know',
    edits: [
      {
        file: 'client/src/request.ts',
        find: "if (query) preferences.push('handling=strict')",
        replaceBy: "if (query) preferences.push('handling=lenient')",
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: sends after along with a cursor',
    edits: [
      {
        file: 'client/src/list.ts',
        find: '{ ...query, after: undefined, cursor }',
        replaceBy: '{ ...query, cursor }',
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: follows a redirect to another host',
    edits: [
      {
        file: 'client/src/transport.ts',
        find: "redirect: 'manual'",
        replaceBy: "redirect: 'follow'",
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: a time limit that no timer takes ends each attempt at once',
    edits: [
      {
        file: 'client/src/transport.ts',
        find: 'Math.min(timeoutMs, timerMaxMs)',
        replaceBy: 'timeoutMs',
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: sends an id that ends the path before it',
    edits: [
      {
        file: 'client/src/request.ts',
        find: 'if (!/^\\.{0,2}$/.test(id)) return id',
        replaceBy: 'if (id) return id',
      },
    ],
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: reads an answer without an end',
    edits: [
      {
        file: 'client/src/reply.ts',
        find: 'if (sizeBytes > answerMaxBytes) {',
        replaceBy: 'if (sizeBytes > answerMaxBytes * 4) {',
      },
    ],
    tests: ['test/client/answers.test.ts'],
  },
  {
    fault: 'client: asks again for an answer that was too large',
    edits: [
      {
        file: 'client/src/retry.ts',
        find: '  if (isTooLarge) return false\n',
        replaceBy: '',
      },
    ],
    tests: ['test/client/answers.test.ts'],
  },
]
