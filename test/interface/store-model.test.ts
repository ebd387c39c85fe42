import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { runJobs } from '../../src/app/jobs.ts'
import { startApp, type TestApp } from '../harness/app.ts'
import type { Answer } from '../harness/contract.ts'
import { isOnPostgres } from '../harness/engine.ts'
import { amount } from '../harness/extent.ts'
import {
  lookUp,
  type Move,
  pass,
  type Status,
  type StoreModel,
  statusOf,
  store,
} from './store-model.ts'

// After any sequence of operations a store has returned what its model returns, and holds what the model holds.

const holdMs = 60_000
const timeoutMs = 120_000

/** One operation of a client, or the passing of time, and its result: a status, and the code of a refusal. */
class Step implements fc.AsyncCommand<StoreModel, TestApp> {
  readonly name: string
  readonly #foretell: (model: StoreModel) => string
  readonly #run: (app: TestApp) => Promise<Answer | string>

  constructor(
    name: string,
    foretell: (model: StoreModel) => string,
    run: (app: TestApp) => Promise<Answer | string>,
  ) {
    this.name = name
    this.#foretell = foretell
    this.#run = run
  }

  check() {
    return true
  }

  async run(model: StoreModel, app: TestApp) {
    const expected = this.#foretell(model)
    const answer = await this.#run(app)
    assert.equal(typeof answer === 'string' ? answer : outcomeOf(answer), expected)
    await compare(model, app)
  }

  toString() {
    return this.name
  }
}

function outcomeOf({ status, text }: Answer): string {
  return status < 400 ? String(status) : `${status} ${JSON.parse(text).code}`
}

/** Everything that can be read of the store equals the model. */
async function compare(model: StoreModel, { api }: TestApp) {
  const there = model.pets.flatMap((pet, index) => (pet.isGone ? [] : [{ ...pet, id: index + 1 }]))
  const read = async (path: string) => (await api.get(`/v1${path}?limit=100`)).json()
  const statuses = there.map(({ id }) => [id, statusOf(model, id)])
  const pets = (await read('/pets')) as { id: number; status?: Status }[]
  assert.deepEqual(
    pets.map(({ id, status }) => [id, status]),
    statuses,
  )
  assert.deepEqual(
    await read('/inventory'),
    there
      .filter(({ stated }) => stated !== undefined)
      .map(({ id, onHand }) => ({ petId: id, quantity: onHand, status: statusOf(model, id) })),
  )
  const orders = (await read('/store/orders')) as Record<string, unknown>[]
  assert.deepEqual(
    orders.map(({ petId, quantity, status, complete, reference }) => [
      ...[petId, quantity, status, complete, reference],
    ]),
    model.orders.map(({ pet, quantity, status, reference }) => [
      ...[pet, quantity, status, status === 'delivered', reference],
    ]),
  )
  assert.deepEqual(
    await read('/categories'),
    model.categories.flatMap(({ name, isGone }, index) =>
      isGone ? [] : [{ id: index + 1, name }],
    ),
  )
}

const pet = fc.integer({ min: 1, max: 4 })
const order = fc.integer({ min: 1, max: 8 })
const quantity = fc.integer({ min: 1, max: 3 })
const status = fc.constantFrom<Status>('available', 'pending', 'sold')

const create = fc.option(status, { nil: undefined, freq: 8 }).map(
  (stated) =>
    new Step(
      `create a pet, ${stated}`,
      ({ pets }) => {
        pets.push({ stated, onHand: stated === 'sold' ? 0 : 1, isGone: false })
        return '201'
      },
      ({ api }) => api.post('/v1/pets', { name: 'Rex', categoryId: 7, status: stated }),
    ),
)
const reference = fc.constantFrom('web', 'Web')
const place = fc.tuple(pet, quantity, fc.option(reference, { nil: undefined })).map(
  ([petId, many, found]) =>
    new Step(
      `order ${many} of pet ${petId}, ${found}`,
      (model) => store.order(model, { pet: petId, quantity: many, reference: found }, holdMs),
      ({ api }) => api.post('/v1/store/orders', { petId, quantity: many, reference: found }),
    ),
)
const move = fc.tuple(order, fc.constantFrom<Move>('ship', 'deliver', 'cancel')).map(
  ([id, how]) =>
    new Step(
      `${how} order ${id}`,
      (model) => store.move(model, id, how),
      ({ api }) =>
        how === 'cancel'
          ? api.send('DELETE', `/v1/store/orders/${id}`)
          : api.send('POST', `/v1/store/orders/${id}/${how}`),
    ),
)
const state = fc.tuple(pet, status).map(
  ([id, to]) =>
    new Step(
      `state pet ${id} ${to}`,
      (model) => store.state(model, id, to),
      ({ api }) => api.send('PATCH', `/v1/pets/${id}`, { body: { status: to } }),
    ),
)
const count = fc.tuple(pet, fc.integer({ min: 0, max: 5 })).map(
  ([id, many]) =>
    new Step(
      `count ${many} of pet ${id}`,
      (model) => store.count(model, id, many),
      ({ api }) => api.send('PATCH', `/v1/inventory/${id}`, { body: { quantity: many } }),
    ),
)
const remove = pet.map(
  (id) =>
    new Step(
      `remove pet ${id}`,
      (model) => store.remove(model, id),
      ({ api }) => api.send('DELETE', `/v1/pets/${id}`),
    ),
)
const lookAtStock = pet.map(
  (id) =>
    new Step(
      `look at the stock of pet ${id}`,
      (model) => lookUp.stock(model, id),
      async ({ api }) => {
        const answer = await api.get(`/v1/inventory/${id}`)
        if (answer.status !== 200) return answer
        const { petId, quantity: onHand, status: stated } = JSON.parse(answer.text)
        assert.equal(petId, id)
        return `${onHand} ${stated}`
      },
    ),
)
const findOrders = fc.tuple(fc.subarray([1, 2, 3, 4, 5], { minLength: 1 }), reference).map(
  ([ids, found]) =>
    new Step(
      `find orders ${ids} by ${found}`,
      (model) => lookUp.orders(model, ids, found),
      async ({ api }) => {
        const query = new URLSearchParams(ids.map((id) => ['id', String(id)]))
        const answer = await api.get(`/v1/store/orders?${query}&reference=${found}`)
        return (answer.json() as { id: number }[]).map(({ id }) => id).join(' ')
      },
    ),
)
const category = fc.integer({ min: 1, max: 3 })
const name = fc.constantFrom('Dogs', 'DOGS', 'Cats')
const createCategory = name.map(
  (called) =>
    new Step(
      `create the category ${called}`,
      (model) => store.createCategory(model, called),
      ({ api }) => api.post('/v1/categories', { name: called }),
    ),
)
const changeCategory = fc
  .tuple(category, fc.option(name, { nil: undefined }))
  .map(([id, called]) =>
    called === undefined
      ? new Step(
          `remove category ${id}`,
          (model) => store.removeCategory(model, id),
          ({ api }) => api.send('DELETE', `/v1/categories/${id}`),
        )
      : new Step(
          `rename category ${id} to ${called}`,
          (model) => store.renameCategory(model, id, called),
          ({ api }) => api.send('PATCH', `/v1/categories/${id}`, { body: { name: called } }),
        ),
  )
const wait = fc.constantFrom(holdMs / 3, holdMs).map(
  (ms) =>
    new Step(
      `wait ${ms} ms`,
      (model) => {
        pass(model, ms)
        return 'passed'
      },
      async ({ clock, context }) => {
        clock.ms += ms
        await runJobs(context)
        return 'passed'
      },
    ),
)

it('the store behaves as its model, for any sequence of operations', {
  timeout: timeoutMs,
}, async () => {
  const ofSales = [create, place, place, move, move, state, count, remove, wait]
  const ofOthers = [lookAtStock, findOrders, createCategory, changeCategory]
  const steps = fc.commands([...ofSales, ...ofOthers], { maxCommands: 50, size: 'max' })
  const settings = { PETSTORE_ORDER_HOLD_MS: String(holdMs) }

  await fc.assert(
    fc.asyncProperty(steps, async (commands) => {
      const app = await startApp({ settings })
      const model = { pets: [], orders: [], categories: [], nowMs: app.clock.ms }
      await fc.asyncModelRun(() => ({ model, real: app }), commands)
      await app.close()
    }),
    { numRuns: amount({ quick: isOnPostgres ? 2 : 4, full: 25 }) },
  )
})
