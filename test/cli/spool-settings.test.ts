import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { it } from 'node:test'
import { loadConfig } from '../../src/config/config.ts'

it('PETSTORE_SPOOL_DIRECTORY: beside the database, else the temporary folder of the system', () => {
  const directoryOf = (env: Record<string, string>) => loadConfig({}, env).config.spoolDirectory

  assert.equal(directoryOf({}), 'data')
  assert.equal(directoryOf({ PETSTORE_DATABASE: 'sqlite:/var/lib/pets/a.db' }), '/var/lib/pets')
  assert.equal(directoryOf({ PETSTORE_DATABASE: 'sqlite::memory:' }), tmpdir())
  assert.equal(directoryOf({ PETSTORE_DATABASE: 'postgres://localhost/pets' }), tmpdir())
  assert.equal(directoryOf({ PETSTORE_SPOOL_DIRECTORY: '/spool' }), '/spool')
})

it('PETSTORE_SPOOL_MAX_BYTES: four gibibytes, or what is set', () => {
  assert.equal(loadConfig({}, {}).config.spoolMaxBytes, 4 * 2 ** 30)
  assert.equal(loadConfig({}, { PETSTORE_SPOOL_MAX_BYTES: '10' }).config.spoolMaxBytes, 10)
})
