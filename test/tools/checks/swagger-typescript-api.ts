import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runClient } from '../harness/client.ts'
import { typedClientFaults } from '../harness/faults.ts'
import { commandOf } from '../harness/packages.ts'
import { runNode } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

const generator = commandOf('swagger-typescript-api', 'swagger-typescript-api')

export const swaggerTypescriptApi: Tool = {
  name: 'swagger-typescript-api',
  packages: ['swagger-typescript-api'],
  async check(bench) {
    const { directory, documentPath } = bench
    const output = ['--output', 'clients/generated', '--name', 'client.ts', '--enum-style', 'union']
    await runNode([generator, 'generate', '--path', documentPath, ...output], directory)
    const path = join(directory, 'clients/generated/client.ts')
    // It disables the compiler's checks for its own code.
    writeFileSync(path, readFileSync(path, 'utf8').replace('// @ts-nocheck', ''))
    // Its code for an operation without a body does not compile with exactOptionalPropertyTypes.
    return runClient(bench, 'swagger-typescript-api', { exactOptionalPropertyTypes: false })
  },
  faults: typedClientFaults,
}
