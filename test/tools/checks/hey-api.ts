import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runClient } from '../harness/client.ts'
import { typedClientFaults } from '../harness/faults.ts'
import { commandOf } from '../harness/packages.ts'
import { runNode } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const generator = commandOf('@hey-api/openapi-ts', 'openapi-ts')

export const heyApi: Tool = {
  name: 'hey-api',
  packages: ['@hey-api/openapi-ts', 'zod'],
  async check(bench) {
    const { directory, documentPath } = bench
    const options = {
      input: documentPath,
      output: { path: join(directory, 'clients/generated'), importFileExtension: '.ts' },
      plugins: [
        '@hey-api/client-fetch',
        '@hey-api/typescript',
        'zod',
        { name: '@hey-api/sdk', validator: true },
      ],
      logs: { level: 'warn', file: false },
    }
    const path = join(directory, 'openapi-ts.config.mjs')
    writeFileSync(path, `export default ${JSON.stringify(options)}`)
    await runNode([generator, '-f', path], directory)
    // The client that it brings along is not written for exactOptionalPropertyTypes.
    return runClient(bench, 'hey-api', { exactOptionalPropertyTypes: false })
  },
  faults: typedClientFaults,
}
