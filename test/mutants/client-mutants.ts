/** What the client could do wrong, each a mutant as mutants.ts has them. */
export const clientMutants = [
  {
    fault: 'client: makes a new idempotency key for each attempt',
    file: 'client/src/transport.ts',
    find: 'const reply = await this.#attempt(request, options)',
    replaceBy:
      'const reply = await this.#attempt(await prepare(settings, operation, input, options), options)',
    tests: ['test/client/retries.test.ts'],
  },
  {
    fault: 'client: repeats a change that has no If-Match',
    file: 'client/src/retry.ts',
    find: "method === 'DELETE' || isKeyed",
    replaceBy: "method === 'DELETE' || method === 'PATCH' || isKeyed",
    tests: ['test/client/retries.test.ts'],
  },
  {
    fault: 'client: says that nothing can have happened when an answer is lost',
    file: 'client/src/retry.ts',
    find: 'if (status === undefined) return !isNotConnected(cause)',
    replaceBy: 'if (status === undefined) return isNotConnected(cause)',
    tests: ['test/client/retries.test.ts', 'test/client/client.test.ts'],
  },
  {
    fault: 'client: rounds integers of answers',
    file: 'client/src/reply.ts',
    find: 'const data = parseJson(text)',
    replaceBy: 'const data = JSON.parse(text)',
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: sends a key of the other environment',
    file: 'client/src/settings.ts',
    find: 'if (environment !== undefined && key.startsWith(prefixes[other]))',
    replaceBy: "if (environment !== undefined && key === '')",
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: has no method for an operation',
    file: 'client/src/generated/orders.ts',
    find: "  path: '/store/orders/{orderId}/ship',",
    replaceBy: "  path: '/store/orders/{orderId}/deliver',",
    tests: ['test/client/operations.test.ts', 'test/client/retries.test.ts'],
  },
  {
    fault: 'client: follows a redirect to another host',
    file: 'client/src/transport.ts',
    find: "redirect: 'manual'",
    replaceBy: "redirect: 'follow'",
    tests: ['test/client/client.test.ts'],
  },
  {
    fault: 'client: sends an id that ends the path before it',
    file: 'client/src/request.ts',
    find: 'if (!/^\\.{0,2}$/.test(id)) return id',
    replaceBy: 'if (id) return id',
    tests: ['test/client/client.test.ts'],
  },
]
