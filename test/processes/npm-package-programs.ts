import { join } from 'node:path'

const use = `
  const auth = { authorization: 'Bearer ' + store.key }
  const pets = await (await fetch(store.baseUrl + '/pets', { headers: auth })).json()
  const style = await fetch(store.baseUrl.replace('/v1', '/docs/swagger-ui.css'))
  await store.reset('empty')
  const left = await (await fetch(store.baseUrl + '/pets', { headers: auth })).json()
  await store.close()
  console.log(pets.length === 3 && left.length === 0 && style.status === 200 && store.keys.length === 1 ? 'ok' : 'wrong')
`
const options = `{ seed: 3, keys: [{ scopes: ['pets:read'] }] }`

export const importing = `import { startPetstore } from 'petstore-service'
const store = await startPetstore(${options})
${use}`

export const requiring = `const { startPetstore } = require('petstore-service')
async function main() {
  const store = await startPetstore(${options})
${use}}
main()`

const typed = `
export async function main() {
  const options: PetstoreOptions = { seed: 3, firstId: 7n, keys: [{ scopes: ['pets:read'], expired: true }] }
  const store: Petstore = await startPetstore(options)
  await store.faults.add({ operation: 'createPet', cut: 'after' })
  const url: string = store.baseUrl
  // @ts-expect-error: not a kind of cut
  await store.faults.add({ cut: 'sideways' })
  await using other = await startPetstore()
  return [url, other.key]
}
`
const head =
  "import { startPetstore, type Petstore, type PetstoreOptions } from 'petstore-service'\n"

export const strictPrograms: Record<string, string> = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2022', 'dom'],
      types: [],
      noEmit: true,
    },
    files: ['typed.mts', 'typed.cts'],
  }),
  'typed.mts': `${head}${typed}`,
  'typed.cts': `${head}${typed}`,
}

const body = `const store = await startPetstore()
  try {
    const response = await fetch(store.baseUrl + '/pets', { headers: { authorization: 'Bearer ' + store.key } })
    if (response.status !== 200) throw new Error('status ' + response.status)
  } finally { await store.close() }`

type RunnerTest = { files: Record<string, string>; command: string[] }

/** One test of a user for each test runner, and how it is run. */
export function runnerTests(runners: string): Record<string, RunnerTest> {
  const program = (path: string) => join(runners, 'node_modules', path)
  const imports = "import { startPetstore } from 'petstore-service'\n"
  const requires = "const { startPetstore } = require('petstore-service')\n"
  const test = (name: string) => `${name}('uses a store', async () => {\n  ${body}\n}, 60000)\n`
  return {
    'node:test': {
      files: {
        'node.test.mjs': `import { it } from 'node:test'\n${imports}it('uses a store', async () => {\n  ${body}\n})\n`,
      },
      command: ['--test', 'node.test.mjs'],
    },
    vitest: {
      files: { 'vitest.spec.mjs': `${imports}${test('test')}` },
      command: [program('vitest/vitest.mjs'), 'run', '--globals', 'vitest.spec.mjs'],
    },
    jest: {
      files: { 'jest.spec.cjs': `${requires}${test('test')}` },
      command: [program('jest/bin/jest.js'), '--testMatch', '**/jest.spec.cjs'],
    },
    mocha: {
      files: {
        'mocha.cjs': `${requires}it('uses a store', async function () {\n  this.timeout(60000)\n  ${body}\n})\n`,
      },
      command: [program('mocha/bin/mocha.js'), 'mocha.cjs'],
    },
  }
}
