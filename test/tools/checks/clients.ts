import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runClient } from '../harness/client.ts'
import { clientFaults, typedClientFaults } from '../harness/faults.ts'
import { commandOf } from '../harness/packages.ts'
import { runNode } from '../harness/run.ts'
import type { Bench, Tool } from '../harness/tool.ts'

/** Clients that a generator makes of the document, or that read it. */
export const clients: Tool[] = [
  {
    name: 'openapi-fetch',
    packages: ['openapi-typescript', 'openapi-fetch'],
    async check(bench) {
      const args = [bench.documentPath, '-o', 'clients/generated/openapi.ts']
      await generate(bench, 'openapi-typescript', args)
      return runClient(bench, 'openapi-fetch', { exactOptionalPropertyTypes: true })
    },
    faults: typedClientFaults,
  },
  {
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
      await generate(bench, '@hey-api/openapi-ts', ['-f', configIn(directory, options)])
      // The client that it brings along is not written for exactOptionalPropertyTypes.
      return runClient(bench, 'hey-api', { exactOptionalPropertyTypes: false })
    },
    faults: typedClientFaults,
  },
  {
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
      await generate(bench, 'orval', ['-c', configIn(directory, options)])
      return runClient(bench, 'orval', { exactOptionalPropertyTypes: true })
    },
    faults: typedClientFaults,
  },
  {
    name: 'swagger-typescript-api',
    packages: ['swagger-typescript-api'],
    async check(bench) {
      const { directory, documentPath } = bench
      const output = ['--output', 'clients/generated', '--name', 'client.ts']
      const args = ['generate', '--path', documentPath, ...output, '--enum-style', 'union']
      await generate(bench, 'swagger-typescript-api', args)
      const path = join(directory, 'clients/generated/client.ts')
      // It disables the compiler's checks for its own code.
      writeFileSync(path, readFileSync(path, 'utf8').replace('// @ts-nocheck', ''))
      // Its code for an operation without a body does not compile with exactOptionalPropertyTypes.
      return runClient(bench, 'swagger-typescript-api', { exactOptionalPropertyTypes: false })
    },
    faults: typedClientFaults,
  },
  // What sends the requests of Swagger UI.
  {
    name: 'swagger-client',
    packages: ['swagger-client'],
    check: (bench) => runClient(bench, 'swagger-client', { exactOptionalPropertyTypes: true }),
    faults: clientFaults,
  },
]

/** Runs the command of a generator, which has the last part of its package's name. */
async function generate({ directory }: Bench, name: string, args: string[]): Promise<void> {
  await runNode([commandOf(name, basename(name)), ...args], directory)
}

/** The path of a module with this configuration. */
function configIn(directory: string, options: object): string {
  const path = join(directory, 'generator.config.mjs')
  writeFileSync(path, `export default ${JSON.stringify(options)}`)
  return path
}
