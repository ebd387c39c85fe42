import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { cases } from '../../../test/harness/extent.ts'

type Status = 'available' | 'pending' | 'sold'
type Sent = readonly [method: string, url: string, body?: unknown]

const count = (quantity: number): Sent => ['PATCH', '/v1/inventory/1', { quantity }]
const order: Sent = ['POST', '/v1/store/orders', { petId: 1 }]
const ship: Sent = ['POST', '/v1/store/orders/1/ship']
const deliver: Sent = ['POST', '/v1/store/orders/1/deliver']
const cancel: Sent = ['DELETE', '/v1/store/orders/1']

/** Every state of a pet: the status that a client wrote, and what orders and stock did since. */
const states: Record<string, { stated?: Status; since?: Sent[]; status?: Status; isHeld?: true }> =
  {
    'without a status': {},
    available: { stated: 'available', status: 'available' },
    pending: { stated: 'pending', status: 'pending' },
    sold: { stated: 'sold', status: 'sold' },
    'available, partly reserved': {
      stated: 'available',
      since: [count(2), order],
      status: 'available',
      isHeld: true,
    },
    'pending because an order holds it': {
      stated: 'available',
      since: [order],
      status: 'pending',
      isHeld: true,
    },
    'pending because it is shipped': {
      stated: 'available',
      since: [order, ship],
      status: 'pending',
      isHeld: true,
    },
    'available again because its order was cancelled': {
      stated: 'available',
      since: [order, cancel],
      status: 'available',
    },
    'sold because it was delivered': {
      stated: 'available',
      since: [order, ship, deliver],
      status: 'sold',
    },
    'sold because its stock is 0': { stated: 'available', since: [count(0)], status: 'sold' },
    'pending with a stock of 0': { stated: 'pending', since: [count(0)], status: 'pending' },
    'sold with a stock above 0': { stated: 'sold', since: [count(3)], status: 'sold' },
  }

/** The changes of status that `updatePet` allows while no open order holds the pet. */
const allowed: Record<Status | 'none', readonly Status[]> = {
  none: ['available', 'pending', 'sold'],
  available: ['available', 'pending', 'sold'],
  pending: ['pending', 'available', 'sold'],
  sold: ['sold', 'available'],
}

for (const [title, { stated, since = [], status: from, isHeld = false }] of cases(
  Object.entries(states),
  { quickEvery: 2 },
)) {
  describe(`a pet that is ${title}`, () => {
    async function arrange() {
      const { api } = await startApp()
      await api.createPet(stated === undefined ? {} : { status: stated })
      for (const [method, url, body] of since) {
        const { status, text } = await api.send(method, url, { body })
        assert.ok(status < 300, text)
      }
      assert.deepEqual((await readPet(api)).status, from)
      return api
    }

    for (const to of ['available', 'pending', 'sold'] as const) {
      const isSame = to === from
      const code =
        isHeld && !isSame
          ? 'pet_in_open_order'
          : !allowed[from ?? 'none'].includes(to) && 'invalid_transition'

      if (code) {
        it(`409: cannot become ${to}: ${code}; nothing changes`, async () => {
          const api = await arrange()
          const before = await readAll(api)

          const response = await change(api, { name: 'Max', status: to })

          expectError(response, 409, code)
          assert.deepEqual(await readAll(api), before)
        })
        continue
      }
      it(`200: ${isSame ? 'is' : 'becomes'} ${to}, and is read as ${to}`, async () => {
        const api = await arrange()
        const [, inventory] = await readAll(api)

        const response = await change(api, { status: to })

        assert.equal(response.status, 200, response.text)
        assert.equal((response.json() as { status: string }).status, to)
        const [pet, counted, listed] = await readAll(api)
        assert.equal(pet, response.text)
        assert.equal(listed, `[${response.text}]`)
        if (isSame) assert.equal(counted, inventory)
        else checkQuantity(counted as string, to)
      })
    }

    it('200: can be renamed, whatever holds it', async () => {
      const api = await arrange()
      const [, inventory] = await readAll(api)

      const response = await change(api, { name: 'Max', categoryId: 8 })

      assert.equal(response.status, 200)
      const expected = { id: 1, name: 'Max', categoryId: 8 }
      assert.deepEqual(
        response.json(),
        from === undefined ? expected : { ...expected, status: from },
      )
      assert.equal((await readAll(api))[1], inventory)
    })
  })
}

it('409: the message names the allowed changes, or the order that holds the pet', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'sold' })
  await api.createPet({ status: 'available' })
  await api.post('/v1/store/orders', { petId: 2 })

  const move = await api.send('PATCH', '/v1/pets/1', { body: { status: 'pending' } })
  const held = await api.send('PATCH', '/v1/pets/2', { body: { status: 'sold' } })

  assert.match(move.text, /Pet 1 is sold, from where it can become available, not pending\./)
  assert.match(held.text, /Open orders hold 1 of pet 2 \(order 1\)\. Deliver/)
})

const change = (api: TestApi, body: unknown) => api.send('PATCH', '/v1/pets/1', { body })

const readPet = async (api: TestApi) =>
  (await api.get('/v1/pets/1')).json() as { name: string; status?: string }

/** Everything that a client can read of the pet. */
async function readAll(api: TestApi): Promise<string[]> {
  const { status } = await readPet(api)
  const listed = `/v1/pets${status === undefined ? '' : `?status=${status}`}`
  const answers = []
  for (const url of ['/v1/pets/1', '/v1/inventory', listed, '/v1/store/orders']) {
    answers.push((await api.get(url)).text)
  }
  return answers
}

/** A sold pet has a stock of none; an available one has at least one. */
function checkQuantity(inventory: string, status: Status) {
  const [item] = JSON.parse(inventory) as { quantity: number; status: string }[]
  assert.equal(item?.status, status)
  if (status === 'sold') assert.equal(item.quantity, 0)
  if (status === 'available') assert.ok(item.quantity >= 1)
}
