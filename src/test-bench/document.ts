import { describeOperations } from '../openapi/document.ts'
import { shareRepeated } from '../openapi/share-repeated.ts'
import * as operations from './operations.ts'

const description = `Controls a store in memory, for tests: its contents, clock, keys, faults, and the journal of its requests.
Only \`petstore serve --ephemeral\` and \`startPetstore()\` have it. It takes only the key that the start printed.`

/** Assembles the OpenAPI 3.1 document of the test bench. */
export function assembleTestBenchDocument(baseUrl: string): Record<string, unknown> {
  return shareRepeated({
    openapi: '3.1.1',
    info: { title: 'Pet Store Test Bench', version: '1.0.0', description },
    servers: [{ url: baseUrl }],
    ...describeOperations(Object.values(operations), {
      baseUrl,
      keyDescription: 'The key that the start of the store printed.',
    }),
  })
}
