import { runClient } from '../harness/client.ts'
import { typedClientFaults } from '../harness/faults.ts'
import { commandOf } from '../harness/packages.ts'
import { runNode } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const generator = commandOf('openapi-typescript', 'openapi-typescript')

export const openapiFetch: Tool = {
  name: 'openapi-fetch',
  packages: ['openapi-typescript', 'openapi-fetch'],
  async check(bench) {
    await runNode(
      [generator, bench.documentPath, '-o', 'clients/generated/openapi.ts'],
      bench.directory,
    )
    return runClient(bench, 'openapi-fetch', { exactOptionalPropertyTypes: true })
  },
  faults: typedClientFaults,
}
