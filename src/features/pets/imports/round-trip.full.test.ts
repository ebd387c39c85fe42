import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../../test/harness/any-code-point.ts'
import { startApp, type TestApi } from '../../../../test/harness/app.ts'
import { importFile, ndjson } from '../../../../test/harness/imports.ts'

/** Control characters, which no name has. */
const control = /[\u0000-\u001f\u007f-\u009f]/g
const hostile = fc.constantFrom("'", '"', '=', '+', '-', '@', ',', ';', ' ', '""', 'a', '\ufeff')
const name = fc
  .array(fc.oneof(hostile, anyCodePoint), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join('').replace(control, '·'))
  .filter((text) => text.trim() !== '')
const pet = fc.record(
  {
    name,
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom('available', 'pending', 'sold'),
  },
  { requiredKeys: ['name', 'categoryId'] },
)

/** An export without its ids. */
async function exported(api: TestApi, accept: string): Promise<string> {
  const { text } = await api.get('/v1/pets/export', { headers: { accept } })
  return text.replaceAll(/^\d+,/gm, '').replaceAll(/"id":\d+,/g, '')
}

it('an export that is imported with ignoreIds into an empty store is exported again as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pet, { minLength: 1, maxLength: 30 }), async (pets) => {
      const lines = pets.map(
        ({ categoryId, ...others }) =>
          `${JSON.stringify(others).slice(0, -1)},"categoryId":${categoryId}}`,
      )
      const { api: first, close } = await startApp({ firstId: 7n })
      const filled = await importFile(first, lines.join('\n'), { headers: ndjson })
      assert.equal(filled.status, 200, filled.text)

      for (const type of ['text/csv', 'application/x-ndjson']) {
        const { api: second, close: closeSecond } = await startApp()
        const file = (await first.get('/v1/pets/export', { headers: { accept: type } })).text
        const copied = await importFile(second, file, {
          query: '?ignoreIds=true',
          headers: { 'content-type': type },
        })
        assert.equal(copied.status, 200, copied.text)
        assert.equal(await exported(second, type), await exported(first, type))
        await closeSecond()
      }
      await close()
    }),
    { numRuns: 60 },
  )
})
