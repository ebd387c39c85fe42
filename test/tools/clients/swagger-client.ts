import { readFileSync } from 'node:fs'
import { carry, key } from './carry.ts'

// It has no types.
const path: string = './client.mjs'
const { connect } = await import(path)
const client = await connect(JSON.parse(readFileSync('openapi.json', 'utf8')), key)
const call = async (operationId: string, parameters: object, requestBody?: object) =>
  (await client.execute({ operationId, parameters, ...(requestBody && { requestBody }) })).body

await carry({
  list: () => call('listPets', { limit: 1 }),
  get: (petId) => call('getPet', { petId }),
  create: (pet) => call('createPet', {}, pet),
})
