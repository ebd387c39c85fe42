import assert from 'node:assert/strict'
import { it } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { loadConfig } from '../../src/config/config.ts'
import { example } from '../harness/documents.ts'

const path = 'docs/examples/fleet'
const fileOf = (name: string) => example(`fleet/${name}`).replaceAll('ADDRESS', '10.0.0.11')
const settingsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+) ?= ?(.*)$/gm)].map((match) => match.slice(1)))

it(`${path}: the settings of the service are valid, also with PgBouncer`, () => {
  const settings = settingsOf(fileOf('petstore.env'))
  const pooled = settingsOf(fileOf('petstore-pooled.env'))

  for (const own of [settings, { ...settings, ...pooled }]) {
    const { config, warnings } = loadConfig({}, own)
    assert.deepEqual(warnings, [])
    assert.equal(config.host, '10.0.0.11')
    assert.ok(config.database.name.includes('10.0.0.11'), config.database.name)
  }
  assert.ok(pooled.PETSTORE_DATABASE?.includes(':6432,'))
})

it(`${path}: Patroni replaces no primary that may still be told to go on`, () => {
  type Dcs = Record<'ttl' | 'loop_wait' | 'retry_timeout', number> & { synchronous_mode: boolean }
  const { bootstrap } = parseYaml(fileOf('patroni.yml')) as { bootstrap: { dcs: Dcs } }
  const { ttl, loop_wait: wait, retry_timeout: retry, synchronous_mode: isSafe } = bootstrap.dcs

  assert.ok(wait + 2 * retry <= ttl)
  assert.equal(isSafe, true)
})

it(`${path}: PgBouncer keeps sessions apart, and has enough for two processes`, () => {
  const { pool_mode: mode, default_pool_size: size } = settingsOf(fileOf('pgbouncer.ini'))

  assert.equal(mode, 'session')
  // One process opens up to 16 connections, and one more to look for the primary.
  assert.ok(Number(size) >= 2 * 17)
})
