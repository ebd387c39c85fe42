import type { TestApi } from './app.ts'

export const csv = { 'content-type': 'text/csv' }
export const ndjson = { 'content-type': 'application/x-ndjson' }

/** Imports a file. */
export function importFile(
  api: TestApi,
  file: string | Buffer,
  { query = '', headers = {}, key }: { query?: string; headers?: object; key?: string } = {},
) {
  const sent = { rawBody: file, headers: { ...csv, ...headers } }
  return api.send('POST', `/v1/pets/import${query}`, key === undefined ? sent : { ...sent, key })
}

/** The names, categories and statuses of all pets, by id. */
export async function petsIn(api: TestApi): Promise<string[]> {
  const { text } = await api.get('/v1/pets?limit=100')
  return (
    JSON.parse(text) as { id: number; name: string; categoryId: number; status?: string }[]
  ).map(({ id, name, categoryId, status = '-' }) => `${id} ${name} ${categoryId} ${status}`)
}
