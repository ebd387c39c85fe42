import { connect } from './client.ts'
import { reportExactness } from './exactness.ts'

await reportExactness<bigint>(({ baseUrl, key }) => {
  const client = connect(baseUrl, key)
  return {
    list: async (query) => dataOf(await client.GET('/pets', { params: { query } })),
    get: async (petId) =>
      dataOf(await client.GET('/pets/{petId}', { params: { path: { petId } } })),
    create: async (body) => dataOf(await client.POST('/pets', { body })),
  }
})

function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}
