import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { startApp, type TestApi } from '../harness/app.ts'
import { amount } from '../harness/extent.ts'
import { eventsAfter, type Mirror, readLists, repeat } from '../harness/mirror.ts'
import { soldStore } from '../harness/sold-store.ts'
import { verify } from '../harness/verify.ts'

/** What the open orders of the pets of `sellInStore` hold. */
const held = new Map([
  [1, 3],
  [2, 0],
  [4, 0],
])

const stock = fc
  .record({
    petId: fc.constantFrom(...held.keys()),
    stated: fc.constantFrom("'available'", "'available'", "'pending'", "'sold'"),
    onHand: fc.integer({ min: 1, max: 9 }),
    reserved: fc.integer({ min: 0, max: 9 }),
  })
  .filter(({ petId, onHand, reserved }) => reserved <= onHand && reserved !== held.get(petId))

const stocks = fc.uniqueArray(stock, { minLength: 1, selector: ({ petId }) => petId })

it('a mirror from before the damage, and one of the damaged store, are right after a repair', async (t) => {
  await fc.assert(
    fc.asyncProperty(stocks, async (damaged) => {
      const store = await soldStore(t)
      async function serving<T>(work: (api: TestApi) => Promise<T>): Promise<T> {
        const app = await startApp({
          settings: { PETSTORE_ENVIRONMENT: 'production', ...store.env },
        })
        const result = await work(app.api)
        await app.close()
        return result
      }
      const mirrored = async (api: TestApi) => ({
        after: (await eventsAfter(api, undefined)).at(-1)?.id,
        lists: await readLists(api),
      })
      const follow = async (api: TestApi, mirror: Mirror, after: bigint | undefined) => {
        for (const event of await eventsAfter(api, after)) repeat(mirror, event)
        return mirror
      }
      const sound = await serving(mirrored)
      await store.damage(
        ...damaged.map(
          ({ petId, stated, onHand, reserved }) =>
            `update pets set stated = ${stated}, on_hand = ${onHand}, reserved = ${reserved} where id = ${petId}`,
        ),
      )
      const wrong = await serving(mirrored)

      const { code } = await verify(store, '--repair', '--yes')

      assert.equal(code, 0)
      await serving(async (api) => {
        const lists = await readLists(api)
        assert.deepEqual(await follow(api, sound.lists, sound.after), lists)
        assert.deepEqual(await follow(api, wrong.lists, wrong.after), lists)
      })
    }),
    {
      numRuns: amount({ quick: 1, full: 20 }),
      examples: [[[{ petId: 1, stated: "'available'", onHand: 4, reserved: 4 }]]],
      endOnFailure: true,
    },
  )
})
