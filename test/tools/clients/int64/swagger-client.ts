import { readFileSync } from 'node:fs'
import { reportExactness } from './exactness.ts'

// It has no types.
const path: string = './client.mjs'
const { connect } = await import(path)

await reportExactness<bigint>(async ({ key }) => {
  const client = await connect(JSON.parse(readFileSync('openapi.json', 'utf8')), key)
  const call = async (operationId: string, parameters: object, requestBody?: object) => {
    const request = { operationId, parameters, ...(requestBody && { requestBody }) }
    return (await client.execute(request)).body
  }
  return {
    list: (query) => call('listPets', query),
    get: (petId) => call('getPet', { petId }),
    create: (body) => call('createPet', {}, body),
  }
})
