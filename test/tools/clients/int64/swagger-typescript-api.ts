import { connect } from './client.ts'
import { reportExactness } from './exactness.ts'

await reportExactness<bigint>(({ baseUrl, key }) => {
  const { pets } = connect(baseUrl, key)
  return {
    list: async (query) => (await pets.listPets(query)).data,
    get: async (petId) => (await pets.getPet(petId)).data,
    create: async (body) => (await pets.createPet(body)).data,
  }
})
