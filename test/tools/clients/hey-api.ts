import { baseUrl, carry, key } from './carry.ts'
import { connect } from './client.ts'
import { createPet, getPet, listPets } from './petstore/sdk.gen.ts'

const options = { client: connect(baseUrl, key), throwOnError: true } as const

await carry<{ id: bigint; categoryId: bigint }>({
  list: async () => (await listPets({ ...options, query: { limit: 1 } })).data,
  get: async (petId) => (await getPet({ ...options, path: { petId } })).data,
  create: async (body) => (await createPet({ ...options, body })).data,
})
