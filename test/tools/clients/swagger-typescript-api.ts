import { baseUrl, carry, key } from './carry.ts'
import { connect } from './client.ts'

const { pets } = connect(baseUrl, key)

await carry<{ id: bigint; categoryId: bigint }>({
  list: async () => (await pets.listPets({ limit: 1 })).data,
  get: async (petId) => (await pets.getPet(petId)).data,
  create: async (pet) => (await pets.createPet(pet)).data,
})
