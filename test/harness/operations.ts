import assert from 'node:assert/strict'
import type { Scope } from '../../client/src/generated/scopes.ts'
import { aPet, type SentFile, type TestApi } from './app.ts'

type Operation = [
  operationId: string,
  method: string,
  url: string,
  scope: Scope | 'anyKey',
  status: number,
  body?: object | undefined,
  /** In place of a body. */
  file?: SentFile,
]

/** A key that a key with its scope alone may manage. */
const newKey = { name: 'shop', scopes: ['keys:manage'] }

/** A store in memory sends to the machine that it is on. Nothing listens there. */
const newDetails = {
  description: 'Tame.',
  price: { amount: '249.00', currency: 'EUR' },
  ...{ bornOn: '2024-02-29', sex: 'male', tags: ['tame'] },
}
const newWebhook = { url: 'http://127.0.0.1:9/hook' }

/** Without an overlap a rotation can be repeated. */
const rotation = { overlapSeconds: 0 }

/** A picture of one point, in ASCII. */
const dot = { type: 'image/webp', text: 'RIFF\u0016\0\0\0WEBPVP8L\t\0\0\0/\0\0\0\0EDD\0\0' }
const formOfDot = {
  type: 'multipart/form-data; boundary=cut',
  text: `--cut\r\nContent-Disposition: form-data; name="file"\r\n\r\n${dot.text}\r\n--cut--`,
}

const operations: Operation[] = [
  ['listPets', 'GET', '/v1/pets', 'pets:read', 200],
  ['createPet', 'POST', '/v1/pets', 'pets:write', 201, aPet()],
  ['getPet', 'GET', '/v1/pets/1', 'pets:read', 200],
  ['updatePet', 'PATCH', '/v1/pets/1', 'pets:write', 200, { name: 'Max' }],
  ['listDetails', 'GET', '/v1/details', 'pets:read', 200],
  ['getDetails', 'GET', '/v1/pets/1/details', 'pets:read', 200],
  ['replaceDetails', 'PUT', '/v1/pets/1/details', 'pets:write', 200, newDetails],
  ['deleteDetails', 'DELETE', '/v1/pets/1/details', 'pets:write', 204],
  ['listPhotos', 'GET', '/v1/photos', 'pets:read', 200],
  ['getPhoto', 'GET', '/v1/pets/1/photo', 'pets:read', 200],
  ['replacePhoto', 'PUT', '/v1/pets/1/photo', 'pets:write', 200, undefined, dot],
  ['uploadPhoto', 'POST', '/v1/pets/1/photo', 'pets:write', 200, undefined, formOfDot],
  ['deletePhoto', 'DELETE', '/v1/pets/1/photo', 'pets:write', 204],
  ['deletePet', 'DELETE', '/v1/pets/1', 'pets:write', 204],
  ['importPets', 'POST', '/v1/pets/import', 'pets:write', 200, undefined, JSON.stringify(aPet())],
  [
    'batchPets',
    'POST',
    '/v1/pets/batch',
    'pets:write',
    200,
    { changes: [{ id: 1, update: { name: 'Max' } }] },
  ],
  ['exportPets', 'GET', '/v1/pets/export', 'pets:read', 200],
  ['listCategories', 'GET', '/v1/categories', 'pets:read', 200],
  ['createCategory', 'POST', '/v1/categories', 'pets:write', 201, { name: 'Dogs' }],
  ['getCategory', 'GET', '/v1/categories/1', 'pets:read', 200],
  ['updateCategory', 'PATCH', '/v1/categories/1', 'pets:write', 200, { name: 'Lions' }],
  ['deleteCategory', 'DELETE', '/v1/categories/1', 'pets:write', 204],
  ['listOrders', 'GET', '/v1/store/orders', 'orders:read', 200],
  ['createOrder', 'POST', '/v1/store/orders', 'orders:write', 201, { petId: 1 }],
  ['getOrder', 'GET', '/v1/store/orders/1', 'orders:read', 200],
  ['shipOrder', 'POST', '/v1/store/orders/1/ship', 'orders:write', 200],
  ['deliverOrder', 'POST', '/v1/store/orders/2/deliver', 'orders:write', 200],
  ['cancelOrder', 'DELETE', '/v1/store/orders/1', 'orders:write', 204],
  ['exportOrders', 'GET', '/v1/store/orders/export', 'orders:read', 200],
  ['exportInventory', 'GET', '/v1/inventory/export', 'inventory:read', 200],
  ['listInventory', 'GET', '/v1/inventory', 'inventory:read', 200],
  ['getInventory', 'GET', '/v1/inventory/1', 'inventory:read', 200],
  ['listEvents', 'GET', '/v1/events', 'anyKey', 200],
  ['getEvent', 'GET', '/v1/events/2', 'anyKey', 200],
  ['getOwnKey', 'GET', '/v1/keys/self', 'anyKey', 200],
  ['listKeys', 'GET', '/v1/keys', 'keys:manage', 200],
  ['createKey', 'POST', '/v1/keys', 'keys:manage', 201, newKey],
  ['getKey', 'GET', '/v1/keys/2', 'keys:manage', 200],
  ['updateKey', 'PATCH', '/v1/keys/2', 'keys:manage', 200, { name: 'Shop' }],
  ['rotateKey', 'POST', '/v1/keys/3/rotate', 'keys:manage', 200, rotation],
  ['revokeKey', 'DELETE', '/v1/keys/4', 'keys:manage', 204],
  ['listWebhooks', 'GET', '/v1/webhooks', 'webhooks:manage', 200],
  ['createWebhook', 'POST', '/v1/webhooks', 'webhooks:manage', 201, newWebhook],
  ['getWebhook', 'GET', '/v1/webhooks/1', 'webhooks:manage', 200],
  ['updateWebhook', 'PATCH', '/v1/webhooks/1', 'webhooks:manage', 200, newWebhook],
  ['rotateWebhookSecret', 'POST', '/v1/webhooks/1/rotate-secret', 'webhooks:manage', 200],
  ['testWebhook', 'POST', '/v1/webhooks/1/test', 'webhooks:manage', 204],
  ['replayWebhook', 'POST', '/v1/webhooks/1/replay', 'webhooks:manage', 204, { after: 1 }],
  ['listDeliveries', 'GET', '/v1/webhooks/1/deliveries', 'webhooks:manage', 200],
  ['retryDelivery', 'POST', '/v1/webhooks/1/deliveries/1/retry', 'webhooks:manage', 200],
  ['deleteWebhook', 'DELETE', '/v1/webhooks/2', 'webhooks:manage', 204],
  ['updateInventory', 'PATCH', '/v1/inventory/1', 'inventory:write', 200, { quantity: 3 }],
]

/** A successful request for each operation that takes a key, in a store that `fillStore` has filled. */
export const requests = operations.map(([operationId, method, url, scope, status, body, file]) => ({
  operationId,
  method,
  url,
  scope,
  status,
  ...(body && { body }),
  ...(file && { file }),
}))

const removals = ['deleteDetails', 'deletePhoto', 'deletePet', 'deleteCategory', 'cancelOrder']

/** The requests by store: those of one list succeed one after the other in a store that `fillStore` has filled. */
export const requestsByStore = [false, true].map((isRemoval) =>
  requests.filter(({ operationId }) => removals.includes(operationId) === isRemoval),
)

/** Requests of operations without a key. */
export const openRequests = [
  { operationId: 'getLiveness', method: 'GET', url: '/health/live' },
  { operationId: 'getReadiness', method: 'GET', url: '/health/ready' },
  { operationId: 'getDocument', method: 'GET', url: '/v1/openapi.json' },
  { operationId: 'getWorkflows', method: 'GET', url: '/v1/arazzo.json' },
  { operationId: 'getSecurityText', method: 'GET', url: '/v1/.well-known/security.txt' },
] as const

/**
 * Puts two of each record into an empty store: available pets with details and photos, categories, orders for the second pet, pending and
 * shipped, keys with the ids from 2 on, and webhooks, of which the
 * first has deliveries.
 */
export async function fillStore({ send, createPet, addDelivery }: TestApi): Promise<void> {
  await createPet({ status: 'available' })
  await createPet({ status: 'available' })
  for (const [method, url, body] of [
    ['PATCH', '/v1/inventory/2', { quantity: 2 }],
    ['POST', '/v1/categories', { name: 'Cats' }],
    ['POST', '/v1/categories', { name: 'Birds' }],
    ['POST', '/v1/store/orders', { petId: 2 }],
    ['POST', '/v1/store/orders', { petId: 2 }],
    ['POST', '/v1/store/orders/2/ship', undefined],
    ['POST', '/v1/keys', newKey],
    ['POST', '/v1/keys', newKey],
    ['POST', '/v1/keys', newKey],
  ] as const) {
    const { status, text } = await send(method, url, { body })
    assert.ok(status < 300, `${method} ${url}: ${text}`)
  }
  // A key that may only manage webhooks changes no address or secret that a stronger key has made.
  const { text } = await send('POST', '/v1/keys', {
    body: { name: 'webhooks', scopes: ['webhooks:manage'] },
  })
  for (const body of [newWebhook, newWebhook]) {
    const { status } = await send('POST', '/v1/webhooks', { body, key: JSON.parse(text).key })
    assert.equal(status, 201)
  }
  for (const id of [1, 2]) {
    const { status } = await send('PUT', `/v1/pets/${id}/details`, { body: { sex: 'female' } })
    const photo = await send('PUT', `/v1/pets/${id}/photo`, { file: dot })
    assert.deepEqual([status, photo.status], [201, 201])
  }
  await addDelivery({ webhookId: 1n, eventId: 10n })
  await addDelivery({ webhookId: 1n, eventId: 11n })
}
