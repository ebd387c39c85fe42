import assert from 'node:assert/strict'
import { call } from '../../harness/petstore.ts'
import type { Bench, Fault } from './tool.ts'

/** The first id of the store, and the category of its first pet. A double holds neither. */
export const firstId = 9007199254740993n
export const categoryId = 9007199254740995n

/** A client that rounds must not pass for an exact one: here the service rounds. */
export const roundedIds: Fault = {
  fault: 'a service that rounds ids',
  distort(answer) {
    answer.body = answer.body.replaceAll(String(firstId), String(firstId - 1n))
  },
  expected: /'rounds' !== 'exact'/,
}

export async function emptyStore({ baseUrl, key }: Bench): Promise<void> {
  const { origin } = new URL(baseUrl)
  const init = { method: 'POST', body: { to: 'empty' } }
  const response = await call({ baseUrl: origin, key }, '/test-bench/reset', init)
  assert.equal(response.status, 204, 'the store is emptied')
}

export async function createFirstPet(bench: Bench): Promise<void> {
  const body = `{"name":"Zoe","categoryId":${categoryId}}`
  const response = await call(bench, '/pets', { method: 'POST', body })
  assert.equal(response.status, 201, 'the first pet is created')
}
