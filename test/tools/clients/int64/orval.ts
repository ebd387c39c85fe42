import { reportExactness } from './exactness.ts'
import { createPet, getPet, listPets } from './petstore.ts'

await reportExactness<bigint>(({ key }) => {
  const init = { headers: { Authorization: `Bearer ${key}` } }
  return {
    list: async (query) => dataOf(await listPets(query, init)),
    get: async (petId) => dataOf(await getPet(petId, init)),
    create: async (body) => dataOf(await createPet(body, init)),
  }
})

type Success<Any> = Extract<Any, { status: 200 | 201 }> extends { data: infer Data } ? Data : never

function dataOf<Any extends { status: number; data: unknown }>(result: Any): Success<Any> {
  if (result.status >= 300) throw new Error(JSON.stringify(result.data))
  return result.data as Success<Any>
}
