import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { startApp, type TestApp } from '../../test/harness/app.ts'
import { isOnPostgres } from '../../test/harness/engine.ts'
import { amount } from '../../test/harness/extent.ts'
import type { Db } from '../db/db.ts'
import { deletePet } from './pets/delete-pet.ts'
import { updatePet } from './pets/update-pet.ts'
import { placeOrder } from './sales/create-order.ts'
import { moveOrder } from './sales/move-order.ts'
import { updateInventory } from './sales/update-inventory.ts'

// Inputs that are one batch have the outcomes, and leave the rows, that they have one after the other.

const pets = 3
const holdMs = 60_000

/** Pets and orders by their numbers within a run, from 1; those beyond the last do not exist. */
type Store = { db: Db; now: number; petId(pet: number): bigint; orderId(order: number): bigint }
type Input = { title: string; write(store: Store): Promise<unknown> }
/** The inputs of one batch, some time after those before. */
type Turn = { afterMs: number; inputs: Input[] }

const pet = fc.integer({ min: 1, max: pets + 1 })
const order = fc.integer({ min: 1, max: 12 })
const quantity = fc.integer({ min: 1, max: 3 })
const status = fc.constantFrom('available' as const, 'pending' as const, 'sold' as const)

const place = fc.tuple(pet, quantity).map(([number, many]) => ({
  title: `order ${many} of pet ${number}`,
  write: ({ db, now, petId }: Store) =>
    db.write(placeOrder, {
      petId: petId(number),
      quantity: many,
      now,
      expiresAt: now + holdMs,
    }),
}))
const move = fc
  .tuple(order, fc.constantFrom('shipped' as const, 'delivered' as const, 'cancelled' as const))
  .map(([number, target]) => ({
    title: `${target} ${number}`,
    write: ({ db, now, orderId }: Store) =>
      db.write(moveOrder, { id: orderId(number), target, now }),
  }))
const count = fc.tuple(pet, fc.integer({ min: 0, max: 6 })).map(([number, many]) => ({
  title: `stock of pet ${number} is ${many}`,
  write: ({ db, now, petId }: Store) =>
    db.write(updateInventory, { id: petId(number), body: { quantity: many }, now }),
}))
const change = fc
  .tuple(pet, fc.constantFrom('Ann', 'Bob'), fc.option(status, { nil: undefined }))
  .map(([number, name, stated]) => ({
    title: `pet ${number} is ${name}, ${stated}`,
    write: ({ db, now, petId }: Store) =>
      db.write(updatePet, {
        id: petId(number),
        now,
        body: stated === undefined ? { name } : { name, status: stated },
      }),
  }))
const remove = pet.map((number) => ({
  title: `delete pet ${number}`,
  write: ({ db, now, petId }: Store) => db.write(deletePet, { id: petId(number), now }),
}))

const alike = [place, move, count, change, remove].map((input) =>
  fc.array(input as fc.Arbitrary<Input>, { minLength: 1, maxLength: 12 }),
)
const [orders, moves, stocks, changes] = alike as [Inputs, Inputs, Inputs, Inputs]
type Inputs = fc.Arbitrary<Input[]>
const mixed: Inputs = fc.array(
  fc.oneof<fc.Arbitrary<Input>[]>(place, move, count, change, remove),
  {
    minLength: 1,
    maxLength: 20,
  },
)
// On PostgreSQL batches of different writes run at the same time, in any order.
const inputs = fc.oneof(
  { weight: 4, arbitrary: orders },
  { weight: 4, arbitrary: moves },
  { weight: 2, arbitrary: stocks },
  { weight: 2, arbitrary: changes },
  { weight: 1, arbitrary: isOnPostgres ? (alike[4] as Inputs) : mixed },
)
const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({ afterMs: fc.constantFrom(0, 0, holdMs / 2), inputs }),
  { minLength: 3, maxLength: 8 },
)

it('random batches have the outcomes of their inputs one after the other, and leave the same rows', async () => {
  let apps: TestApp[] = []
  let lastOrder = 0n
  const run = async (sent: Turn[]) => {
    if (apps.length === 0) {
      apps = [await startApp(), await startApp()]
      lastOrder = 0n
    }
    const [batched, alone] = apps as [TestApp, TestApp]
    const firstPet = await petsForSale(batched)
    assert.equal(await petsForSale(alone), firstPet)
    const storeOf = ({ context, clock }: TestApp): Store => ({
      db: context.db,
      now: clock.ms,
      petId: (number) => firstPet + BigInt(number - 1),
      orderId: (number) => lastOrder + BigInt(number),
    })
    for (const turn of sent) {
      for (const { clock } of apps) clock.ms += turn.afterMs
      const all = turn.inputs.map(({ write }) => outcomeOf(write(storeOf(batched))))
      const each: unknown[] = []
      for (const { write } of turn.inputs) each.push(await outcomeOf(write(storeOf(alone))))
      assert.deepEqual(await Promise.all(all), each)
    }
    const rows = await rowsOf(batched, firstPet)
    assert.deepEqual(rows, await rowsOf(alone, firstPet))
    const orderIds = rows.slice(2).flatMap((list) => list.map(({ id }) => BigInt(id)))
    for (const id of orderIds) if (id > lastOrder) lastOrder = id
  }

  await fc.assert(
    fc.asyncProperty(turns, (sent) =>
      run(sent).catch((error) => {
        // Their ids may differ from here on.
        apps = []
        const titles = sent
          .map((turn) => turn.inputs.map(({ title }) => title).join(', '))
          .join('; ')
        throw new Error(`${titles}: ${error.message}`, { cause: error })
      }),
    ),
    { numRuns: amount({ quick: isOnPostgres ? 1 : 3, full: 200 }) },
  )
})

/** Creates the pets of a run, with a few in stock; returns the id of the first. */
async function petsForSale({ api, context, clock }: TestApp): Promise<bigint> {
  const ids: bigint[] = []
  for (let number = 1; number <= pets; number++) {
    const { id } = await api.createPet({ status: 'available' })
    ids.push(BigInt(id))
    const input = { id: BigInt(id), body: { quantity: 2 * number }, now: clock.ms }
    await context.db.write(updateInventory, input)
  }
  return ids[0] as bigint
}

/** The value of a write, or the code and message of its refusal. */
function outcomeOf(written: Promise<unknown>): Promise<unknown> {
  return written.catch(({ code, message }) => `${code}: ${message}`)
}

/** The pets of a run as clients see them, their stocks, and the orders of each. */
async function rowsOf({ api }: TestApp, firstPet: bigint) {
  const ids = Array.from({ length: pets }, (_, index) => firstPet + BigInt(index))
  const query = (name: string) => ids.map((id) => `${name}=${id}`).join('&')
  const paths = [
    `pets?${query('id')}`,
    `inventory?${query('petId')}`,
    ...ids.map((id) => `store/orders?limit=100&petId=${id}`),
  ]
  const lists = await Promise.all(paths.map((path) => api.get(`/v1/${path}`)))
  return lists.map((list) => list.json() as { id: number }[])
}
