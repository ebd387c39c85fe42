import assert from 'node:assert/strict'
import { it } from 'node:test'
import { loadConfig } from './config.ts'

it('a database is named by its hosts and its name, and by nothing else of its address', () => {
  for (const [address, name] of [
    ['postgres://localhost/db?user=u&password=hunter2', 'postgres://localhost/db'],
    ['postgresql://u:hunter2@h:5432,[::1]:6000/db', 'postgresql://h:5432,[::1]:6000/db'],
    ['postgres://u:hunter2%40@%2Frun%2Fpostgresql', 'postgres://%2Frun%2Fpostgresql'],
  ] as const) {
    const { config } = loadConfig({}, { PETSTORE_DATABASE: address })
    assert.equal(config.database.name, name)
  }
})
