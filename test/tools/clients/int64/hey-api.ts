import { connect } from './client.ts'
import { reportExactness } from './exactness.ts'
import { createPet, getPet, listPets } from './petstore/sdk.gen.ts'

await reportExactness<bigint>(({ baseUrl, key }) => {
  const client = connect(baseUrl, key)
  return {
    list: async (query) => (await listPets({ client, query, throwOnError: true })).data,
    get: async (petId) => (await getPet({ client, path: { petId }, throwOnError: true })).data,
    create: async (body) => (await createPet({ client, body, throwOnError: true })).data,
  }
})
