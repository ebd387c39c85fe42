import { join } from 'node:path'

/** What each test does with a store of its own. */
const useStore = `async function useStore(startPetstore) {
  const store = await startPetstore({ seed: 3, strict: true, keys: [{ scopes: ['pets:read'] }, { expired: true }] })
  const ask = async (path, { key = store.key, ...init } = {}) => {
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
    return (await fetch(store.baseUrl + path, { headers, ...init })).json()
  }
  const create = { method: 'POST', body: '{"name":"Tom","categoryId":1}' }
  const seen = [(await ask('/pets')).length, (await ask('/pets?stats=sold')).code]
  for (const key of store.keys) seen.push((await ask('/pets', { key, ...create })).code)
  await store.reset('empty')
  seen.push((await ask('/pets')).length)
  await store.close()
  seen.push(await fetch(store.baseUrl).then(() => 'open', () => 'closed'))
  const expected = '3 invalid_parameter insufficient_scope expired_api_key 0 closed'
  if (seen.join(' ') !== expected) throw new Error(seen.join(' ') + ' instead of ' + expected)
}`
const imports =
  "import { startPetstore } from 'petstore-service'\nimport { useStore } from './use.mjs'\n"
const test = "it('uses a store', () => useStore(startPetstore))\n"

const typed = `import { startPetstore, type Petstore, type PetstoreOptions } from 'petstore-service'
export async function main() {
  const options: PetstoreOptions = { firstId: 7n, keys: [{ scopes: ['pets:read'] }] }
  const store: Petstore = await startPetstore(options)
  await store.faults.add({ operation: 'createPet', cut: 'after' })
  // @ts-expect-error: not a kind of cut
  await store.faults.add({ cut: 'sideways' })
}
`
const typedClient = `import { type Pet, PetstoreApiError, PetstoreClient } from 'petstore-client'
const client = new PetstoreClient({ key: 'pet_test_x' })
const pet: Pet = await client.pets.create({ name: 'Rex', categoryId: 7n })
for await (const order of client.orders.list({ petId: pet.id })) console.log(order.createdAt)
// @ts-expect-error: a name is a string
client.pets.create({ name: 7, categoryId: 7 }).catch((e) => e instanceof PetstoreApiError && e.code === 'not_found')
`
/** Creates a pet whose category no double holds, finds it by that, and deletes it. */
const client = `import { PetstoreClient } from 'petstore-client'
const { BASE_URL: baseUrl, KEY: key } = globalThis.process.env
const { pets } = new PetstoreClient({ baseUrl, key })
const { id } = await pets.create({ name: 'Rex', categoryId: 9007199254740993n })
const found = []
for await (const pet of pets.list({ categoryId: 9007199254740993n })) found.push(pet)
await pets.delete(id)
if (found.length !== 1 || found[0].id !== id || found[0].categoryId !== 9007199254740993n) throw new Error(found)
`
const compilerOptions = {
  strict: true,
  noEmit: true,
  module: 'nodenext',
  lib: ['es2022', 'esnext.disposable', 'dom', 'dom.iterable'],
}

/** The files of a user, as ES modules and as CommonJS. */
export const projectFiles: Record<string, string> = {
  'package.json': '{"private":true}',
  'use.mjs': `export ${useStore}\n`,
  'use.cjs': `${useStore}\nmodule.exports = { useStore }\n`,
  'node.mjs': `import { it } from 'node:test'\n${imports}${test}`,
  'vitest.spec.mjs': imports + test,
  'jest.cjs': `const { startPetstore } = require('petstore-service')\nconst { useStore } = require('./use.cjs')\n${test}`,
  'client.mjs': client,
  'typed.mts': typed,
  'typed.cts': typed,
  'typed-client.mts': typedClient,
  'tsconfig.json': JSON.stringify({ compilerOptions }),
}

/** The arguments of Node for each test runner. */
export const testRunners = (packages: string): string[][] => [
  ['--test', 'node.mjs'],
  [join(packages, 'vitest/vitest.mjs'), 'run', '--globals', '--testTimeout=120000'],
  [join(packages, 'jest/bin/jest.js'), '--testTimeout=120000', '--testMatch', '**/jest.cjs'],
]
