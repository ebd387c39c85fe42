import assert from 'node:assert/strict'
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

export async function emptyStore(bench: Bench): Promise<void> {
  const response = await post(bench, '/test-bench/reset', '{"to":"empty"}')
  assert.equal(response.status, 204, 'the store is emptied')
}

export async function createFirstPet(bench: Bench): Promise<void> {
  const response = await post(bench, '/v1/pets', `{"name":"Zoe","categoryId":${categoryId}}`)
  assert.equal(response.status, 201, 'the first pet is created')
}

function post({ baseUrl, key }: Bench, path: string, body: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return fetch(new URL(path, baseUrl), { method: 'POST', headers, body })
}
