import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { startPetstore } from '../../src/start-petstore.ts'
import { aDirectory } from '../processes/command.ts'
import { repositoryRoot } from '../processes/process.ts'
import { compileClient, runClient } from '../tools/harness/client.ts'
import { runNode } from '../tools/harness/run.ts'

const strict = { exactOptionalPropertyTypes: true }

it('a client of generated types compiles strictly, and uses every operation', async (t) => {
  await using store = await startPetstore()
  const document = await (await fetch(`${store.baseUrl}/openapi.json`)).text()
  const directory = await generateTypes(t, document)

  const done = await runClient({ directory, ...store }, 'openapi-fetch', strict)

  assert.match(done, /^\d+ calls of \d+ operations$/)
  const path = join(directory, 'clients/generated/openapi.ts')
  const types = readFileSync(path, 'utf8')
  writeFileSync(path, types.replaceAll('quantity?: number', 'quantity: number'))
  await assert.rejects(compileClient(directory, 'openapi-fetch', strict), /quantity/)
})

async function generateTypes(t: TestContext, document: string): Promise<string> {
  const directory = aDirectory(t)
  mkdirSync(join(directory, 'clients/generated'), { recursive: true })
  symlinkSync(join(repositoryRoot, 'node_modules'), join(directory, 'node_modules'))
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  writeFileSync(join(directory, 'openapi.json'), document)
  const hook = join(repositoryRoot, 'test/harness/typescript-5.ts')
  const generator = join(repositoryRoot, 'node_modules/openapi-typescript/bin/cli.js')
  const output = ['-o', 'clients/generated/openapi.ts']
  await runNode(['--import', hook, generator, 'openapi.json', ...output], directory)
  return directory
}
