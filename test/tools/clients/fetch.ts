import { baseUrl, carry, key } from './carry.ts'
import { exactFetch } from './int64.ts'

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const send = async (path: string, pet?: object) => {
  const post = { method: 'POST', body: JSON.stringify(pet) }
  const response = await exactFetch(`${baseUrl}${path}`, { headers, ...(pet && post) })
  return response.clone().json()
}

await carry<{ id: bigint; categoryId: bigint }>({
  list: async () => (await send('/pets?limit=1')) as { id: bigint; categoryId: bigint }[],
  get: async (petId) => (await send(`/pets/${petId}`)) as { id: bigint; categoryId: bigint },
  create: async (pet) => (await send('/pets', pet)) as { id: bigint; categoryId: bigint },
})
