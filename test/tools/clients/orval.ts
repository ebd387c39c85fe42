import { carry, key } from './carry.ts'
import { createPet, getPet, listPets } from './petstore.ts'

const init = { headers: { Authorization: `Bearer ${key}` } }

await carry<{ id: bigint; categoryId: bigint }>({
  list: async () => dataOf(await listPets({ limit: 1 }, init)),
  get: async (petId) => dataOf(await getPet(petId, init)),
  create: async (pet) => dataOf(await createPet(pet, init)),
})

type Success<Any> = Extract<Any, { status: 200 | 201 }> extends { data: infer Data } ? Data : never

function dataOf<Any extends { status: number; data: unknown }>(result: Any) {
  if (result.status >= 300) throw new Error(JSON.stringify(result.data))
  // The type of a list that is also served as a stream has both bodies.
  return result.data as Exclude<Success<Any>, string>
}
