import { reportExactness } from './exactness.ts'
import { exactFetch } from './int64.ts'

await reportExactness<bigint>(({ baseUrl, key }) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return {
    async list(query) {
      const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
      const response = await exactFetch(`${baseUrl}/pets?${new URLSearchParams(pairs)}`, {
        headers,
      })
      return await response.json()
    },
    async get(petId) {
      const response = await exactFetch(`${baseUrl}/pets/${petId}`, { headers })
      return await response.clone().json()
    },
    async create(pet) {
      const body = JSON.stringify(pet)
      const response = await exactFetch(`${baseUrl}/pets`, { method: 'POST', headers, body })
      return await response.json()
    },
  }
})
