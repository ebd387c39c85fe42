import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runClient } from '../harness/client.ts'
import { clientFaults, typedClientFaults } from '../harness/faults.ts'
import { commandOf } from '../harness/packages.ts'
import { runNode } from '../harness/run.ts'
import type { Tool } from '../harness/tool.ts'

/** Clients that a generator makes of the document, or that read it. */
export const clients: Tool[] = [
  {
    name: 'openapi-fetch',
    packages: ['openapi-typescript', 'openapi-fetch'],
    async check(bench) {
      await runNode(
        [
          commandOf('openapi-typescript', 'openapi-typescript'),
          bench.documentPath,
          '-o',
          'clients/generated/openapi.ts',
        ],
        bench.directory,
      )
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
      const path = join(directory, 'openapi-ts.config.mjs')
      writeFileSync(path, `export default ${JSON.stringify(options)}`)
      await runNode([commandOf('@hey-api/openapi-ts', 'openapi-ts'), '-f', path], directory)
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
      const path = join(directory, 'orval.config.mjs')
      writeFileSync(path, `export default ${JSON.stringify(options)}`)
      await runNode([commandOf('orval', 'orval'), '-c', path], directory)
      return runClient(bench, 'orval', { exactOptionalPropertyTypes: true })
    },
    faults: typedClientFaults,
  },
  {
    name: 'swagger-typescript-api',
    packages: ['swagger-typescript-api'],
    async check(bench) {
      const { directory, documentPath } = bench
      const output = [
        '--output',
        'clients/generated',
        '--name',
        'client.ts',
        '--enum-style',
        'union',
      ]
      await runNode(
        [
          commandOf('swagger-typescript-api', 'swagger-typescript-api'),
          'generate',
          '--path',
          documentPath,
          ...output,
        ],
        directory,
      )
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
