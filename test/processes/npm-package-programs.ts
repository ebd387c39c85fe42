const use = `
  const auth = { authorization: 'Bearer ' + store.key }
  const pets = await (await fetch(store.baseUrl + '/pets', { headers: auth })).json()
  const style = await fetch(store.baseUrl.replace('/v1', '/docs'))
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
