import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryRoot } from '../../processes/process.ts'
import { compile } from '../harness/client.ts'
import { claimOf, type GuideSection, sectionOf } from '../harness/int64-guide.ts'
import { emptyStore, firstId, roundedIds } from '../harness/int64-store.ts'
import { packagesFolder } from '../harness/packages.ts'
import { runNode, runShell } from '../harness/run.ts'
import type { Bench, Tool } from '../harness/tool.ts'

const programs = join(packagesFolder, 'clients/int64')

/** What docs/guides/int64.md says of clients in JavaScript. */
export const int64Clients: Tool[] = [
  client('fetch', 'fetch and JSON.parse', 'fetch and JSON.parse'),
  client('openapi-fetch', 'openapi-typescript 7.13.0 with openapi-fetch 0.17.0'),
  client('hey-api', 'hey-api: @hey-api/openapi-ts 0.99.0'),
  client('orval', 'orval 8.38.0'),
  client('swagger-typescript-api', 'swagger-typescript-api 13.13.0'),
  client('swagger-client', 'swagger-client 3.39.0'),
  {
    name: 'int64:petstore-client',
    packages: [],
    firstId,
    async check(bench) {
      const folder = projectIn(bench, 'exact', 'petstore-client', { files: [], commands: [] })
      const source = pathToFileURL(join(repositoryRoot, 'client/src/index.ts')).href
      const outcome = await runProgram(bench, folder, 'both', source)
      assert.equal(outcome, claimOf('petstore-client'))
      return outcome
    },
    faults: [roundedIds],
  },
]

/**
 * A client that does what the table says as it is, and is exact with what its section shows. `as-is/` has the files that its
 * section changes.
 */
function client(name: string, row: string, heading = name): Tool {
  return {
    name: `int64:${name}`,
    packages: [],
    firstId,
    async check(bench) {
      const shared = sectionOf('fetch and JSON.parse')
      const own = sectionOf(heading)
      const section = { ...own, files: [...shared.files, ...own.files] }
      const asIs = projectIn(bench, 'as-is', name, section)
      cpSync(join(programs, 'as-is', name), asIs, { recursive: true })
      await generate(asIs, section)
      const claim = claimOf(row)
      assert.equal(await runProgram(bench, asIs, 'read'), claim, `${row}, as it is`)

      const folder = projectIn(bench, 'exact', name, section)
      await generate(folder, section)
      const files = readdirSync(folder).filter((one) => one.endsWith('.ts'))
      await compile(folder, { files, exactOptionalPropertyTypes: false })
      assert.equal(await runProgram(bench, folder, 'both'), 'exact', `${row}, by the guide`)
      return `${claim} as it is, is exact by the guide`
    },
    faults: [roundedIds],
  }
}

/** A folder with the files of the guide, and the program that uses them. */
function projectIn(bench: Bench, variant: string, name: string, { files }: GuideSection): string {
  const folder = join(bench.directory, variant)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}')
  // Some generators write imports as this says.
  const compilerOptions = { module: 'esnext', allowImportingTsExtensions: true, noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  symlinkSync(join(packagesFolder, 'node_modules'), join(folder, 'node_modules'))
  cpSync(bench.documentPath, join(folder, 'openapi.json'))
  for (const file of files) writeFileSync(join(folder, file.name), file.text)
  cpSync(join(programs, 'exactness.ts'), join(folder, 'exactness.ts'))
  cpSync(join(programs, `${name}.ts`), join(folder, 'program.ts'))
  return folder
}

async function generate(folder: string, { commands }: GuideSection) {
  for (const command of commands) await runShell(command, folder)
}

/** Runs the program on the empty store. */
async function runProgram(bench: Bench, folder: string, ...args: string[]): Promise<string> {
  await emptyStore(bench)
  const { baseUrl, key } = bench
  return (await runNode(['program.ts', baseUrl, key, ...args], folder)).trim()
}
