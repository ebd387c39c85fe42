import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { createPet } from '../../src/features/pets/create-pet.ts'
import { anyCodePoint } from '../harness/any-code-point.ts'
import { startApp } from '../harness/app.ts'
import { amount } from '../harness/extent.ts'

const types = ['text/csv', 'application/x-ndjson'] as const
/** What files, spreadsheets and SQL treat in a way of their own. */
const hostile = fc.constantFrom(
  "'",
  '=',
  '+',
  '-',
  '@',
  '"',
  ',',
  ';',
  '\\',
  ' ',
  '\u2028',
  '\ufeff',
)
const isAllowed = (name: string) => /\S/u.test(name) && !/\p{Cc}/u.test(name)
const pet = fc.record(
  {
    name: fc
      .array(fc.oneof(hostile, anyCodePoint), { minLength: 1, maxLength: 30 })
      .map((parts) => parts.join(''))
      .filter(isAllowed),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom('available' as const, 'pending' as const, 'sold' as const),
  },
  { requiredKeys: ['name', 'categoryId'] },
)

it('an export that is imported into an empty store is exported equally, but for ids', async () => {
  const numRuns = amount({ quick: 2, full: 30 })
  await fc.assert(
    fc.asyncProperty(fc.array(pet, { minLength: 1, maxLength: 20 }), async (pets) => {
      const { api, context } = await startApp({ firstId: 9_007_199_254_740_993n })
      for (const one of pets) await createPet(context, one)

      for (const type of types) {
        const accept = { headers: { accept: type } }
        const other = await startApp()
        const { text } = await api.get('/v1/pets/export', accept)
        const imported = await other.api.send('POST', '/v1/pets/import?ignoreIds=true', {
          rawBody: text,
          headers: { 'content-type': type },
        })
        assert.equal(imported.status, 200, imported.text)
        const again = await other.api.get('/v1/pets/export', accept)

        const ids = type === 'text/csv' ? /^\d+(?=,)/gm : /(?<=^\{"id":)\d+/gm
        const records = (exported: string) =>
          exported.split(/\r?\n/).map((line) => line.replace(ids, 'ID'))
        assert.deepEqual(records(again.text), records(text))
      }
    }),
    { numRuns },
  )
})
