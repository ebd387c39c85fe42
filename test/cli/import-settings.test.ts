import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../harness/app.ts'
import { importFile, petsIn } from '../harness/imports.ts'

it('PETSTORE_IMPORT_ROWS_MAX, PETSTORE_IMPORT_BYTES_MAX: a larger file is refused with 413', async () => {
  const rows = await startApp({ settings: { PETSTORE_IMPORT_ROWS_MAX: '2' } })
  const bytes = await startApp({ settings: { PETSTORE_IMPORT_BYTES_MAX: '30' } })
  const file = 'name,categoryId\nRex,7\nMax,8\n'

  for (const { api } of [rows, bytes]) {
    assert.equal((await importFile(api, file)).status, 200)
    expectError(await importFile(api, `${file}Tara,4\n`), 413, 'body_too_large')
    assert.deepEqual(await petsIn(api), ['1 Rex 7 -', '2 Max 8 -'])
  }
})
