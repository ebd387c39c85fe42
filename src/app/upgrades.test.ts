import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startApp, type TestApp } from '../../test/harness/app.ts'
import { isOnPostgres } from '../../test/harness/engine.ts'
import { change } from '../../test/harness/sqlite-file.ts'
import { placeStore, storeOf } from '../../test/harness/upgrade-stores.ts'
import { aDirectory, petstore } from '../../test/processes/command.ts'
import { petstoreInThread } from '../../test/processes/command-thread.ts'
import { usePostgres } from '../../test/processes/postgres.ts'
import type { StoreListing } from '../../tools/upgrade-stores/stores.ts'
import { verifyStore } from '../admin/verify/verify-store.ts'
import { settings } from '../config/settings.ts'
import { parseJson } from '../contract/int64-json.ts'
import { openDbAsItIs } from '../db/open.ts'
import { storage } from './storage.ts'

type Entry = { id: bigint; status?: string } & Record<string, unknown>

const hourMs = 3_600_000

/** Starts the service on a store, a second after its program was stopped. */
function startOn(address: string, { madeAt }: StoreListing): Promise<TestApp> {
  const now = new Date(Date.parse(madeAt) + 1_000).toISOString()
  return startApp({ now, settings: { PETSTORE_DATABASE: address } })
}

async function statusFor(app: TestApp, method: string, key: string | undefined): Promise<number> {
  const body = method === 'POST' ? { body: { name: 'Rex', categoryId: 7 } } : {}
  return (await app.api.send(method, '/v1/pets', { key: key ?? null, ...body })).status
}

async function expectKeys(app: TestApp, { keys }: StoreListing) {
  const { full, reader, guest, revoked, replaced } = keys
  assert.equal(await statusFor(app, 'GET', full), 200)
  assert.equal(await statusFor(app, 'GET', reader), 200)
  assert.equal(await statusFor(app, 'POST', reader), 403)
  assert.equal(await statusFor(app, 'GET', guest), 200)
  assert.equal(await statusFor(app, 'GET', revoked), 401)
  assert.equal(await statusFor(app, 'GET', replaced), 200)
  const listed = (await app.api.get('/v1/keys?limit=100')).json() as Record<string, unknown>[]
  const known = (name: string) => listed.find((key) => key.name === name)
  assert.equal((known('full')?.scopes as string[] | undefined)?.[0], 'default')
  assert.deepEqual(known('reader')?.scopes, ['pets:read'])
  const told = ['full.lastUsedAt', 'guest.expiresAt', 'revoked.revokedAt']
  for (const [name = '', member = ''] of told.map((one) => one.split('.')))
    assert.match(String(known(name)?.[member]), /^\d{4}-/, `${name} has ${member}`)
  assert.notEqual(known('reader')?.previousEndsAt, undefined)
}

/** Records keep every member; versions since may have added some, but none to a pet. */
async function expectRecords(app: TestApp, { reads }: StoreListing) {
  for (const [path, before] of Object.entries(reads)) {
    const { text } = await app.api.get(path)
    if (path.startsWith('/v1/pets')) assert.equal(text, before)
    const records = parseJson(text) as Entry[]
    const expected = parseJson(before) as Entry[]
    assert.deepEqual(
      records.map((record, index) => ({ ...record, ...expected[index] })),
      records,
    )
    assert.equal(records.length, expected.length)
  }
}

async function expectReplays(app: TestApp, { claims, keys }: StoreListing) {
  for (const { path, key, body, text } of claims) {
    const response = await app.api.send('POST', `/v1${path}`, {
      key: keys.full ?? null,
      rawBody: body,
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
    })
    assert.deepEqual([response.status, response.text], [201, text])
    assert.equal(response.headers['idempotency-replayed'], 'true')
  }
}

/** Open orders go on, no id is assigned twice, and what changes is behind the position of the log. */
async function expectGoesOn(app: TestApp, { lastIds }: StoreListing) {
  const { 'petstore-position': position } = (await app.api.get('/v1/events?type=order.placed'))
    .headers
  const { text } = await app.api.get('/v1/store/orders?limit=100')
  for (const { id, status } of parseJson(text) as Entry[]) {
    const move = status === 'pending' ? 'ship' : status === 'shipped' ? 'deliver' : undefined
    if (move === undefined) continue
    const moved = await app.api.send('POST', `/v1/store/orders/${id}/${move}`)
    assert.equal(moved.status, 200, moved.text)
  }
  const pet = await app.api.post('/v1/pets', { name: 'New', categoryId: 1, status: 'available' })
  const { id } = parseJson(pet.text) as Entry
  const rawBody = `{"petId":${id}}`
  const headers = { 'content-type': 'application/json' }
  const order = await app.api.send('POST', '/v1/store/orders', { rawBody, headers })
  assert.equal(order.status, 201, order.text)
  const behind = await app.api.get(`/v1/events?after=${position}&type=pet.created`)
  assert.deepEqual(
    (parseJson(behind.text) as { data: Entry }[]).map(({ data }) => data.id),
    [id],
  )
  assert.ok(id > BigInt(lastIds.pets ?? 0), `pet ${id}`)
  assert.ok((parseJson(order.text) as Entry).id > BigInt(lastIds.orders ?? 0), order.text)
}

async function findingsIn(t: TestContext, address: string) {
  const db = await openDbAsItIs(settings.database.read(address), { storage })
  t.after(() => db.close())
  const findings = []
  for await (const result of verifyStore({ db }, storage.checks)) findings.push(...result.findings)
  return findings
}

const settingsOf = (address: string) => ({
  PETSTORE_DATABASE: address,
  PETSTORE_ENVIRONMENT: 'staging',
})

/** Runs the command that a start names for a store of before 1.0.0, which changes nothing. */
async function restoreAsTold(address: string) {
  const started = await petstore(['serve', '--json'], { env: settingsOf(address) })
  const [, place = address, command = ''] =
    /before 1\.0\.0\. Nothing was changed\. .*: (?:PETSTORE_DATABASE=(\S+) )?petstore (.*)$/m.exec(
      started.stderr,
    ) ?? assert.fail(started.stderr)
  assert.equal(started.code, 78)
  const done = await petstoreInThread(command.split(' '), { env: { PETSTORE_DATABASE: place } })
  assert.equal(done.code, 0, done.stderr)
  assert.match(done.stderr, /same contents; its ids, events and webhooks go on\. .* kept as /)
  const again = await petstoreInThread(command.split(' '), { env: { PETSTORE_DATABASE: place } })
  assert.equal(again.code, 78, again.stderr)
}

/** Restores a backup that the last version before 1.0.0 has made of its SQLite store, once it is changed. */
async function restoreBackup(t: TestContext, address: string, changes: string[], expected = 0) {
  const file = join(aDirectory(t), 'early.backup')
  writeFileSync(file, gunzipSync(readFileSync('test/upgrades/early.backup.gz')))
  change(file, changes)
  const env = settingsOf(address)
  const { code, stderr } = await petstoreInThread(['restore', file, '--skip-ids', '0'], { env })
  assert.equal(code, expected, stderr)
  return stderr
}

const ways: Record<string, [StoreListing, (t: TestContext) => Promise<string>]> = {
  'a store of 1.0.0': [storeOf('1.0.0'), (t) => placeStore(t, storeOf('1.0.0'))],
  'a store of before 1.0.0, by the command that a start names,': [
    storeOf('early'),
    async (t) => {
      const address = await placeStore(t, storeOf('early'))
      await restoreAsTold(address)
      return address
    },
  ],
  'a backup of before 1.0.0': [
    storeOf('early', 'sqlite'),
    async (t) => {
      const address = await placeStore(t)
      await restoreBackup(t, address, [])
      return address
    },
  ],
}

for (const [title, [listing, place]] of Object.entries(ways)) {
  it(`${title} keeps its records, keys, claims and ids, and goes on`, async (t) => {
    const address = await place(t)
    const app = await startOn(address, listing)

    await expectKeys(app, listing)
    await expectRecords(app, listing)
    await expectReplays(app, listing)
    await expectGoesOn(app, listing)
    app.clock.ms += 25 * hourMs
    assert.equal(await statusFor(app, 'GET', listing.keys.guest), 401)
    assert.equal(await statusFor(app, 'GET', listing.keys.replaced), 401)
    assert.equal(await statusFor(app, 'GET', listing.keys.reader), 200)
    await app.close()

    assert.deepEqual(await findingsIn(t, address), [])
  })
}

const makeAlike = 'update categories set canonical_name = null where id = 2'
const refused: Record<string, [code: number, sentence: RegExp]> = {
  [makeAlike]: [78, /look like those of others: "ÄFFCHEN" \(id 2\)\. .*run this again/],
  "delete from migrations where name > '0031'": [78, /older version before 1.*run this/],
  'drop index categories_canonical_name; update categories set canonical_name = 1': [65, /breaks/],
}

it('a store of before 1.0.0 that cannot be taken over is refused, and stays', async (t) => {
  for (const [statements, [code, sentence]] of Object.entries(refused)) {
    const address = await placeStore(t, storeOf('early'))
    if (isOnPostgres) await usePostgres(address).query(statements)
    else change(address.replace('sqlite:', ''), [statements])
    const env = settingsOf(address)
    const { stderr, ...end } = await petstoreInThread(['restore', '--replace'], { env })
    const after = await petstoreInThread(['verify'], { env })
    assert.deepEqual([end.code, after.code], [code, 78], stderr + after.stderr)
    assert.match(stderr, sentence)
  }
  assert.match(await restoreBackup(t, await placeStore(t), [makeAlike], 78), /"ÄFFCHEN" /)
})

it('the stores contain what upgrades have to keep', () => {
  for (const [{ reads, lastIds, claims }] of Object.values(ways)) {
    const text = Object.values(reads).join('\n')
    const found = /pending|shipped|delivered|cancelled|expired|available|sold|image.png|paused/g
    assert.equal(new Set(text.match(found)).size, 9)
    assert.match(text, /"id":9007199254740993,.*🐕|🐕.*"id":9007199254740993,/s)
    assert.ok(BigInt(lastIds.pets ?? 0) > 2n ** 62n)
    assert.equal(claims.length, 2)
  }
})
