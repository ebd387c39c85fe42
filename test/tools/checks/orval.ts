import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runClient } from '../harness/client.ts'
import { typedClientFaults } from '../harness/faults.ts'
import { commandOf } from '../harness/packages.ts'
import { runNode } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const generator = commandOf('orval', 'orval')

export const orval: Tool = {
  name: 'orval',
  packages: ['orval', 'zod'],
  async check(bench) {
    const { directory, documentPath } = bench
    const output = { mode: 'single', baseUrl: { getBaseUrlFromSpecification: true } }
    const options = {
      // Its own runtimeValidation would parse errors by the schema of the success.
      client: {
        input: documentPath,
        output: { ...output, client: 'fetch', target: 'clients/generated/client.ts' },
      },
      zod: {
        input: documentPath,
        output: { ...output, client: 'zod', target: 'clients/generated/zod.ts' },
      },
    }
    const path = join(directory, 'orval.config.mjs')
    writeFileSync(path, `export default ${JSON.stringify(options)}`)
    await runNode([generator, '-c', path], directory)
    return runClient(bench, 'orval', { exactOptionalPropertyTypes: true })
  },
  faults: typedClientFaults,
}
