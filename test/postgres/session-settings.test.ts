import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, it, type TestContext } from 'node:test'
import { startApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { importFile } from '../harness/imports.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { openStore, serveRefused } from '../processes/postgres-store.ts'

const server = await anyPostgres()
after(() => server.stop())

const nameOf = (address: string) => new URL(address).pathname.slice(1)

/** What a role, a database or a server may set, to a value that is not the default. */
const hostile: Readonly<Record<string, string>> = {
  array_nulls: 'off',
  backslash_quote: 'off',
  bytea_output: 'escape',
  check_function_bodies: 'off',
  client_encoding: 'LATIN1',
  client_min_messages: 'error',
  constraint_exclusion: 'on',
  cursor_tuple_fraction: '0',
  DateStyle: "'SQL, DMY'",
  default_statistics_target: '1',
  default_text_search_config: "'pg_catalog.simple'",
  default_transaction_deferrable: 'on',
  default_transaction_isolation: 'serializable',
  enable_bitmapscan: 'off',
  enable_hashagg: 'off',
  enable_hashjoin: 'off',
  enable_indexscan: 'off',
  enable_material: 'off',
  enable_mergejoin: 'off',
  enable_nestloop: 'off',
  enable_seqscan: 'off',
  enable_sort: 'off',
  escape_string_warning: 'off',
  extra_float_digits: '-15',
  from_collapse_limit: '1',
  geqo_threshold: '2',
  IntervalStyle: 'iso_8601',
  jit: 'on',
  jit_above_cost: '0',
  join_collapse_limit: '1',
  lock_timeout: '1',
  parallel_setup_cost: '0',
  parallel_tuple_cost: '0',
  plan_cache_mode: 'force_custom_plan',
  quote_all_identifiers: 'on',
  row_security: 'off',
  search_path: 'nowhere',
  session_replication_role: 'replica',
  standard_conforming_strings: 'off',
  synchronize_seqscans: 'off',
  synchronous_commit: 'local',
  TimeZone: "'Pacific/Kiritimati'",
  track_activities: 'off',
  transform_null_equals: 'on',
  work_mem: "'64kB'",
  xmlbinary: 'hex',
  xmloption: 'document',
}

/** Texts that arrays and literals must quote. */
const names = ['NULL', 'null', '{a,b}', '"a"', String.raw`it's \ \\x41 E'\n' $1 ?1`, 'Ærø 🐕', ' ']

/** Every response of a short life of a store, and the digests of a copy of its tables. */
async function observe(t: TestContext, settings: readonly string[]): Promise<unknown[]> {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  for (const name of settings)
    await server.query(`alter database ${nameOf(address)} set ${name} = ${hostile[name]}`)
  const app = await startApp({ settings: { PETSTORE_DATABASE: address } })
  const seen: unknown[] = []
  const send = async (method: string, path: string, body?: unknown) => {
    const sent = { headers: { 'x-request-id': `${seen.length}`, prefer: 'count=exact' } }
    const response = await app.api.send(method, `/v1${path}`, { body, ...sent })
    const headers = ['etag', 'link', 'location', 'x-total-count'].map(
      (name) => response.headers[name],
    )
    seen.push([method, path, response.status, headers, response.text])
  }

  for (const [index, name] of names.entries()) {
    await send('POST', '/categories', { name, ...(index % 2 === 0 && { description: name }) })
    await send('POST', '/pets', {
      name,
      categoryId: index,
      ...(index < 4 && { status: 'available' }),
    })
  }
  const file = 'id,name,categoryId,status\n,NULL,7,\n,"{""a"",NULL}",7,sold\n1,,,pending\n'
  await importFile(app.api, file, { headers: { 'x-request-id': 'import' } })
  await send('POST', '/store/orders', { petId: 2, reference: 'NULL' })
  await send('POST', '/store/orders', { petId: 3 })
  await send('POST', '/store/orders/2/ship')
  await send('POST', '/store/orders/2/deliver')
  await send('DELETE', '/store/orders/1')
  await send('PATCH', '/inventory/4', { quantity: 9 })
  await send('PATCH', '/categories/1', { name: 'nil', description: null })
  await send('DELETE', '/categories/2')
  const changes = [
    { id: 5, update: { name: 'N\\U' } },
    { id: 99, delete: true },
    { id: 6, delete: true },
  ]
  await send('POST', '/pets/batch', { changes })
  for (const path of [
    ...[
      '/pets',
      '/pets?sort=-id&limit=2',
      '/pets?name=null',
      '/pets?search=null',
      '/pets?id=1&id=9',
    ],
    ...['/pets?status=available&categoryId=1', '/pets/1', '/pets/export', '/store/orders/export'],
    ...['/categories', '/store/orders', '/inventory', '/inventory/export'],
    ...['/events?after=1&limit=100', '/events?type=pet.updated', '/events/3', '/webhooks'],
  ])
    await send('GET', path)
  await app.close()
  return [...seen, await copy(t, address)]
}

/** Verifies, examines and moves a store, with all that checks a copy. */
async function copy(t: TestContext, address: string) {
  const folder = aDirectory(t)
  const env = { PETSTORE_DATABASE: address, PETSTORE_ENVIRONMENT: 'staging' }
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await petstoreInThread(args, { env })
    assert.equal(code, 0, `${args}: ${stdout}${stderr}`)
    return stdout
  }
  await run('verify')
  await run('doctor')
  const { tables } = JSON.parse(
    await run('backup', join(folder, 'pets.backup'), '--last', '--json'),
  )
  return (tables as { name: string }[]).filter(({ name }) => compared.includes(name))
}

const compared = ['pets', 'categories', 'orders']

let defaults: Promise<unknown[]> | undefined

for (const name of Object.keys(hostile)) {
  itInFull(
    `responses, copies and checks are as with the defaults, whatever is set: ${name}`,
    async (t) => {
      defaults ??= observe(t, [])
      const expected = await defaults

      assert.deepEqual(await observe(t, [name]), expected)
    },
  )
}

it('78 configuration: there is no schema that the role may use; nothing is damaged', async (t) => {
  const address = await server.createDatabase()
  t.after(() => server.dropDatabase(address))
  await server.query('drop schema public', nameOf(address))

  const { code, stdout, stderr } = await serveRefused(t, address)
  const examined = await petstoreInThread(['doctor', '--json'], {
    env: { PETSTORE_DATABASE: address },
  })
  await server.query('create schema public', nameOf(address))
  await (await openStore(address)).close()

  assert.deepEqual([code, stdout], [78, ''])
  const sentence =
    /The database petstore_\w+ has no schema for the store: .*\(create schema public\)/
  assert.match(stderr, new RegExp(`^${sentence.source}`))
  assert.equal(examined.code, 79)
  assert.match(examined.stdout, sentence)
  assert.doesNotMatch(stderr + examined.stdout, /restore a backup/i)
})
