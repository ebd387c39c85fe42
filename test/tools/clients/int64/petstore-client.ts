import { reportExactness } from './exactness.ts'

const [, , , , , source = ''] = process.argv
const { PetstoreClient } = await import(source)

await reportExactness<bigint>((store) => {
  const { pets } = new PetstoreClient({ ...store, onWarning() {} })
  return {
    list: async (query) => (await pets.list(query)).data,
    get: async (petId) => await pets.get(petId),
    create: async (body) => await pets.create(body),
  }
})
