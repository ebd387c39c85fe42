import { baseUrl, carry, key } from './carry.ts'
import { connect } from './client.ts'

const client = connect(baseUrl, key)

await carry<{ id: bigint; categoryId: bigint }>({
  list: async () => dataOf(await client.GET('/pets', { params: { query: { limit: 1 } } })),
  get: async (petId) => dataOf(await client.GET('/pets/{petId}', { params: { path: { petId } } })),
  create: async (body) => dataOf(await client.POST('/pets', { body })),
})

function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
