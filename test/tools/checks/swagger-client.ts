import { runClient } from '../harness/client.ts'
import { clientFaults } from '../harness/faults.ts'
import type { Tool } from '../harness/tool.ts'

/** What sends the requests of Swagger UI. */
export const swaggerClient: Tool = {
  name: 'swagger-client',
  packages: ['swagger-client'],
  check: (bench) => runClient(bench, 'swagger-client', { exactOptionalPropertyTypes: true }),
  faults: clientFaults,
}
