import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it, type TestContext } from 'node:test'
import type { CommitReport } from '../../src/db/on-commit.ts'
import { instantMin } from '../../src/db/records/instants.ts'
import { expectError, startApp } from '../harness/app.ts'
import { itInFull } from '../harness/extent.ts'
import { put } from '../harness/photos.ts'
import { png } from '../harness/pictures.ts'
import { aDirectory } from '../processes/command.ts'

/** A store in a file, of which a damaged copy is then served. */
async function aStore(t: TestContext) {
  const directory = aDirectory(t)
  const path = join(directory, 'pets.db')
  const settings = { PETSTORE_DATABASE: `sqlite:${path}` }
  const { api, key, close } = await startApp({ settings })
  const commits: CommitReport[] = []
  const observers = [{ committed: (report: CommitReport) => commits.push(report) }]
  return {
    api,
    key,
    path,
    /** What is reported of the commits of the damaged store. */
    commits,
    /** Overwrites bytes in the closed file, and serves it. */
    async restartDamaged(damage: (bytes: Buffer) => void) {
      await close()
      const bytes = readFileSync(path)
      damage(bytes)
      writeFileSync(path, bytes)
      return startApp({ settings, observers })
    },
    /** Writes past the table's checks, and serves the file. */
    async restartChanged(sql: string) {
      await close()
      const database = new DatabaseSync(path)
      database.exec(`pragma ignore_check_constraints = on; ${sql}`)
      database.close()
      return startApp({ settings })
    },
  }
}

type Restarted = Awaited<ReturnType<Awaited<ReturnType<typeof aStore>>['restartDamaged']>>

async function expectDamage({ api, logLines }: Restarted, url: string, line: RegExp) {
  const before = logLines.length
  const response = await api.get(url)
  expectError(response, 500, 'internal_error')
  assert.doesNotMatch(response.text, /damaged/)
  const told = logLines.slice(before).filter((text) => text.includes('"level":50'))
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', line)
}

it('500: a record with overwritten bytes is not sent, the log names the row, and other records are sent', async (t) => {
  const { api, restartDamaged } = await aStore(t)
  for (const name of ['Rex', 'Bella Bellissima', 'Max']) await api.createPet({ name })

  const app = await restartDamaged((bytes) => {
    const record = bytes.indexOf('{"id":2,"name":"Bella')
    bytes.fill(0x22, record + 18, record + 34)
  })

  await expectDamage(app, '/v1/pets', /Row 2 of pets is damaged \(record\)/)
  await expectDamage(app, '/v1/pets/2', /Row 2 of pets is damaged \(record\)/)
  await expectDamage(app, '/v1/pets?id=2', /Row 2 of pets is damaged \(record\)/)
  const [first, second] = await Promise.all([app.api.get('/v1/pets/1'), app.api.get('/v1/pets/2')])
  assert.match(first.text, /"name":"Rex"/)
  expectError(second, 500, 'internal_error')
  assert.equal((await app.api.get('/v1/pets?limit=1')).status, 200)
})

it('500: a photo whose file is not the one that was stored is not sent, nor a part of it, nor kept by a cache', async (t) => {
  const { api, restartChanged } = await aStore(t)
  const { id } = await api.createPet()
  const path = `/v1/pets/${id}/photo`
  await put(api, id, png())

  const app = await restartChanged('update photo_files set bytes = substr(bytes, 1, 40)')

  await expectDamage(app, path, /Row 1 of photo_files is damaged \(bytes\)/)
  const part = await app.api.get(path, { headers: { range: 'bytes=0-9' } })
  expectError(part, 500, 'internal_error')
  assert.equal(part.headers['cache-control'], 'no-store')
  assert.equal((await put(app.api, id, png())).status, 200)
  assert.equal((await app.api.get(path)).status, 200)
})

itInFull('200: a record whose text is valid JSON is sent as it is read', async (t) => {
  const { api, restartDamaged } = await aStore(t)
  for (const name of ['Rex \ufffd', 'Zoë']) await api.createPet({ name })

  const { api: damaged } = await restartDamaged((bytes) => {
    bytes[bytes.indexOf('{"id":2,"name":"Zo') + 18] = 0xff
  })

  for (const url of ['/v1/pets', '/v1/pets/1', '/v1/pets/2']) {
    assert.match((await damaged.get(url)).text, /"name":"(?:Rex \ufffd|Zo\ufffd)/)
  }
})

it('200: a damaged event is passed over by lists, streams and webhooks, with one line in the log', async (t) => {
  const { api, restartChanged } = await aStore(t)
  for (const name of ['Rex', 'Bella', 'Max']) await api.createPet({ name })

  const app = await restartChanged(
    "update events set data = '{' where type = 'pet.created' and record_id = 2",
  )
  const lists = [await app.api.get('/v1/events'), await app.api.get('/v1/events?type=pet.created')]
  for (const { status, text } of lists) {
    assert.equal(status, 200)
    assert.match(text, /"Rex".*"Max"/)
    assert.doesNotMatch(text, /Bella/)
  }
  const { feed, scopes } = app.context
  const author = { type: 'key', name: 'first', keyId: 1n } as const
  const actor = { keyId: 1n, author, digest: new Uint8Array(), scopes: new Set(scopes) }
  const left = new AbortController()
  let streamed = ''
  for await (const chunk of feed.follow({ after: 0n, callerNow: () => actor })(left.signal)) {
    streamed += chunk
    if (streamed.includes('"Max"')) left.abort()
  }
  assert.match(streamed, /"Rex"/)
  assert.doesNotMatch(streamed, /Bella/)
  const told = app.logLines.join('').match(/Row \d+ of events is damaged \(data\)/g) ?? []
  assert.equal(told.length, 1)
  const damaged = BigInt(/\d+/.exec(told[0])?.[0] ?? '')
  assert.equal(await feed.find(damaged), undefined)
  assert.equal((await app.api.get('/health/ready')).status, 200)
  assert.equal(app.logLines.filter((line) => line.includes('of events is damaged')).length, 1)
  expectError(await app.api.get(`/v1/events/${damaged}`), 500, 'internal_error')
})

it('503: a service whose store lacks a table is not ready', async (t) => {
  const { api, path } = await aStore(t)
  assert.equal((await api.get('/health/ready')).status, 200)
  using database = new DatabaseSync(path)
  database.exec('drop table deprecated_calls')

  const ready = await api.get('/health/ready')

  expectError(ready, 503, 'unavailable')
  assert.match(ready.text, /A table of the store is missing;/)
  assert.equal((await api.get('/health/live')).status, 200)
})

it('500: a key whose row is damaged opens nothing, and the log names the row; other keys do', async (t) => {
  const { key, restartChanged } = await aStore(t)

  const { api, logLines } = await restartChanged("update keys set scopes = '' where id = 1")
  const [damaged, other] = await Promise.all([api.get('/v1/pets', { key }), api.get('/v1/pets')])

  expectError(damaged, 500, 'internal_error')
  assert.match(logLines.join(''), /Row 1 of keys is damaged \(scopes\)/)
  assert.equal(other.status, 200)
})

itInFull('500: orders, categories and stock with impossible values are not sent', async (t) => {
  const { api, restartChanged } = await aStore(t)
  const { id } = await api.createPet({ name: 'Rex', status: 'available' })
  await api.post('/v1/store/orders', { petId: id, reference: 'Web shop' })
  await api.post('/v1/categories', { name: 'Dogs' })

  const app = await restartChanged(`
    update orders set status = 'lost', created_at = ${instantMin - 1};
    update pets set reserved = 0, on_hand = -3;
    update categories set name = ''`)

  const order = /Row 1 of orders is damaged \(status, created_at\)/
  await expectDamage(app, '/v1/store/orders', order)
  await expectDamage(app, '/v1/store/orders/1', order)
  await expectDamage(app, '/v1/inventory', /Row 1 of pets is damaged \(on_hand\)/)
  await expectDamage(app, '/v1/categories', /Row 1 of categories is damaged \(name\)/)
  await expectDamage(app, '/v1/categories/1', /Row 1 of categories is damaged \(name\)/)
})

itInFull(
  '500: a damaged page fails the requests for its rows; other requests and the process go on',
  async (t) => {
    const { api, commits, restartDamaged } = await aStore(t)
    for (let n = 0; n < 400; n++) await api.createPet({ name: `Rex ${n} ${'x'.repeat(60)}` })

    const app = await restartDamaged((bytes) => {
      // The log of events has the record too, beside who made it.
      const records = [
        ...bytes.toString('latin1').matchAll(/\{"id":200,"name"[^}]+\}(?!\{"type")/g),
      ]
      const record = records.at(-1)?.index ?? assert.fail()
      const page = record - (record % 4096)
      bytes.fill(0xee, page, page + 64)
    })

    await expectDamage(app, '/v1/pets/200', /The database file is damaged: /)
    commits.length = 0
    const answers = await Promise.all(
      [1, 200, 400].map((id) => app.api.send('PATCH', `/v1/pets/${id}`, { body: { name: 'Max' } })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 500, 200],
    )
    for (let n = 0; n < 5; n++) {
      expectError(
        await app.api.send('PATCH', '/v1/pets/200', { body: { name: 'Max' } }),
        500,
        'internal_error',
      )
    }
    assert.equal((await app.api.get('/v1/pets/1')).status, 200)
    assert.equal((await app.api.createPet({ name: 'Fido' })).id, 401)
    // What stored nothing is no commit: the two changes and the create are.
    assert.equal(
      commits.reduce((sum, { inputs }) => sum + inputs, 0),
      3,
    )
    assert.ok(commits.every(({ commitMs, statementsMs }) => commitMs > 0 && statementsMs > 0))
  },
)
