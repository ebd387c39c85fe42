import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { it } from 'node:test'
import { insertLastBackup } from '../../src/admin/backup/queries.ts'
import { runJobs } from '../../src/app/jobs.ts'
import type { TestApp } from '../harness/app.ts'
import { readExposition, sampleOf, seriesIn } from '../harness/exposition.ts'
import { isFull } from '../harness/extent.ts'
import { aReceiver } from '../harness/receiver.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import { repositoryRoot } from '../processes/process.ts'
import { startMetered } from './start-metered.ts'

const requests = 'petstore_http_requests_total'
const durations = 'petstore_http_request_duration_seconds_count'

it('requests are counted and timed by operation and class of status, commits with their inputs and changes', async (t) => {
  const { api, scrape } = await startMetered(t)

  await api.createPet()
  await api.get('/v1/pets')
  await api.get('/v1/pets/7')
  await api.get('/v1/pets', { key: null })
  await api.get('/v1/nothing')
  const text = await scrape()

  for (const name of [requests, durations]) {
    const count = (operation: string, status: string) => sampleOf(text, name, { operation, status })
    assert.equal(count('createPet', '2xx'), 1)
    assert.deepEqual([count('listPets', '2xx'), count('listPets', '4xx')], [1, 1])
    assert.deepEqual([count('getPet', '4xx'), count('none', '4xx')], [1, 1])
  }
  assert.equal(sampleOf(text, requests, { operation: 'deletePet', status: '5xx' }), 0)
  assert.equal(sampleOf(text, 'petstore_http_requests_in_progress'), 0)
  assert.equal(sampleOf(text, 'petstore_changes_total', { type: 'pet.created' }), 1)
  assert.equal(sampleOf(text, 'petstore_changes_total', { type: 'pet.deleted' }), 0)
  const commits = sampleOf(text, 'petstore_commit_duration_seconds_count') ?? 0
  assert.ok(commits >= 1 && (sampleOf(text, 'petstore_commit_inputs_sum') ?? 0) >= commits)
  assert.equal(sampleOf(text, 'petstore_commit_wait_seconds_count'), commits)
  assert.equal(sampleOf(text, 'petstore_queue_length', { queue: 'writes' }), 0)
})

it('refused sales, holds that expire and calls of deprecated operations are counted', async (t) => {
  const { api, clock, context, scrape } = await startMetered(t, { PETSTORE_ORDER_HOLD_MS: '60000' })
  await api.createPet({ status: 'available' })

  await api.post('/v1/store/orders', { petId: 1 })
  await api.post('/v1/store/orders', { petId: 1 })
  await api.post('/v1/store/orders', { petId: 1, quantity: 0 })
  clock.ms += 60_000
  await runJobs(context)
  await api.get('/v1/pets/1')
  const text = await scrape()

  const refused = (code: string) => sampleOf(text, 'petstore_sales_refused_total', { code })
  assert.deepEqual([refused('pet_not_available'), refused('insufficient_stock')], [1, 0])
  assert.equal(refused('invalid_body'), undefined)
  assert.equal(sampleOf(text, 'petstore_changes_total', { type: 'order.expired' }), 1)
  assert.equal(sampleOf(text, 'petstore_deprecated_requests_total', { operation: 'getPet' }), 1)
})

it('streams are counted while they are open and not timed; the feed tells how old its events are', async (t) => {
  const { api, key, port, scrape } = await startMetered(t, { PETSTORE_STREAMS_MAX: '9' })
  const leaving = new AbortController()
  t.after(() => leaving.abort())
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  const url = `http://127.0.0.1:${port}/v1/events`

  const stream = await fetch(url, { headers, signal: leaving.signal })
  // It tells its position first: an event before that would not be read for it.
  await stream.body?.getReader().read()
  await api.createPet()
  let text = ''
  await until(async () => {
    text = await scrape()
    return sampleOf(text, 'petstore_feed_delay_seconds_count') === 1
  })

  assert.deepEqual(
    [sampleOf(text, 'petstore_streams'), sampleOf(text, 'petstore_streams_max')],
    [1, 9],
  )
  assert.equal(sampleOf(text, 'petstore_http_connections'), 1)
  assert.equal(sampleOf(text, 'petstore_http_requests_in_progress'), 1)
  leaving.abort()
  const labels = { operation: 'listEvents', status: '2xx' }
  await until(async () => {
    text = await scrape()
    return sampleOf(text, requests, labels) === 1
  })
  assert.equal(sampleOf(text, durations, labels), undefined)
})

it('attempts to deliver webhooks are counted by outcome; the oldest that is due has an age', async (t) => {
  const app = await startMetered(t, { PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8' })
  await app.startJobs()
  const held: ServerResponse[] = []
  const receiver = await aReceiver(t, (_received, response) => {
    held.push(response)
    return 'never'
  })
  const key = await app.issueKey({ scopes: ['default', 'webhooks:manage'] })
  await app.api.post('/v1/webhooks', { url: receiver.url, types: ['pet.created'] }, { key })
  const countOf = async (outcome: string) =>
    sampleOf(await app.scrape(), 'petstore_webhook_deliveries_total', { outcome })

  await app.api.createPet()
  await until(() => held.length === 1)
  app.clock.ms += 7_000
  const waiting = await app.scrape()
  held[0]?.writeHead(500).end()
  await until(async () => (await countOf('retried')) === 1)
  app.clock.ms += 60_000
  await until(() => held.length === 2)
  held[1]?.writeHead(204).end()
  await until(async () => (await countOf('succeeded')) === 1)

  assert.equal(sampleOf(waiting, 'petstore_webhook_oldest_due_seconds'), 7)
  assert.deepEqual([await countOf('retried'), await countOf('failed')], [1, 0])
  await until(async () => sampleOf(await app.scrape(), 'petstore_webhook_oldest_due_seconds') === 0)
})

it('the sizes of a store in a file, its disk and its last backup are read at the scrape', async (t) => {
  const path = join(aDirectory(t), 'pets.db')
  const { api, context, scrape } = await startMetered(t, { PETSTORE_DATABASE: `sqlite:${path}` })
  const before = await scrape()

  await api.createPet()
  const madeAt = Date.UTC(2027, 0, 1)
  const backup = { madeAt: BigInt(madeAt), file: 'any', now: BigInt(madeAt) }
  await context.db.write(insertLastBackup, backup)
  const text = await scrape()

  assert.equal(sampleOf(before, 'petstore_last_backup_timestamp_seconds'), 0)
  assert.equal(sampleOf(text, 'petstore_last_backup_timestamp_seconds'), madeAt / 1_000)
  assert.equal(sampleOf(text, 'petstore_database_size_bytes'), statSync(path).size)
  assert.equal(sampleOf(text, 'petstore_database_log_size_bytes'), statSync(`${path}-wal`).size)
  assert.ok((sampleOf(text, 'petstore_disk_free_bytes') ?? 0) > 0)
  // The writer reports from its own thread.
  await until(async () => {
    const later = await scrape()
    return sampleOf(later, 'petstore_changes_total', { type: 'pet.created' }) === 1
  })
})

it('a scrape leaves out what cannot be read, and has the rest', async (t) => {
  const { failDb, context, scrape, logged } = await startMetered(t)
  const fail = () => Promise.reject(new Error('The disk is gone.'))
  failDb(new Error('The disk is gone.'))
  Object.assign(context.db, { sizes: fail })

  const text = await scrape()

  assert.equal(sampleOf(text, 'petstore_last_backup_timestamp_seconds'), undefined)
  assert.equal(sampleOf(text, 'petstore_database_size_bytes'), undefined)
  assert.equal(sampleOf(text, 'petstore_http_connections'), 0)
  assert.deepEqual(logged, [])
})

if (isFull) {
  it('a scrape does not wait for a disk that hangs', async (t) => {
    const { context, scrape } = await startMetered(t)
    let reads = 0
    const hang = () => new Promise(() => (reads += 1))
    Object.assign(context.db, { sizes: hang })

    await scrape()
    const text = await scrape()

    assert.equal(reads, 1)
    assert.equal(sampleOf(text, 'petstore_http_connections'), 0)
  })
}

it('the number of series does not grow with what clients send, and no series has a text of theirs', async (t) => {
  const metered = await startMetered(t)
  await sendOddRequests(metered, 60)
  const seriesOf = (text: string) => seriesIn(text).filter((one) => one.startsWith('petstore_'))
  const before = seriesOf(await metered.scrape())

  await sendOddRequests(metered, isFull ? 100_000 : 120)
  const text = await metered.scrape()

  assert.deepEqual(seriesOf(text).toSorted(), before.toSorted())
  assert.ok(before.length < 1_500, `${before.length} series`)
  const theirs = [metered.key.slice(4), 'pet_0', 'pet_1', 'example', 'agent', 'id-', 'xxx']
  assert.deepEqual(
    theirs.filter((one) => text.includes(one)),
    [],
  )
})

it('the page of metrics lists all of them; the dashboard and the alert rules name no other', async (t) => {
  const { scrape } = await startMetered(t)
  const read = (name: string) => readFileSync(join(repositoryRoot, 'docs/operations', name), 'utf8')
  const namesIn = (text: string) =>
    new Set(text.match(/\b(?:petstore|nodejs|process)_[a-z\d_]+[a-z\d](?!_)/g) ?? [])

  const served = [...readExposition(await scrape()).keys()]
  const own = served.filter((name) => name.startsWith('petstore_'))

  const listed = namesIn(read('metrics.md'))
  assert.deepEqual([...listed].filter((name) => name.startsWith('petstore_')).sort(), own.sort())
  for (const file of ['petstore-dashboard.json', 'petstore-alerts.yml']) {
    const names = [...namesIn(read(file))].map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))
    assert.ok(names.length > 10)
    assert.deepEqual(
      names.filter((name) => !served.includes(name)),
      [],
      file,
    )
  }
})

it('only /metrics is served there, to GET and HEAD; the public address does not have it', async (t) => {
  const { url, port } = await startMetered(t)

  const statuses = []
  for (const [method, address] of [
    ['HEAD', url],
    ['POST', url],
    ['GET', new URL('/', url)],
    ['GET', new URL('/v1/pets', url)],
    ['GET', `http://127.0.0.1:${port}/metrics`],
  ] as const) {
    statuses.push((await fetch(address, { method })).status)
  }

  assert.deepEqual(statuses, [200, 405, 404, 404, 404])
})

const methods = 'GET POST PUT PATCH DELETE OPTIONS HEAD TRACE PROPFIND LOCK'.split(' ')

/** Requests of invented paths, methods, keys, ids, headers and parameters; no two are alike. */
async function sendOddRequests({ server, key }: TestApp, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const paths = [
      `/v1/pets/${index}`,
      `/v1/${index}`,
      `/a${index}/${index}`,
      `/v1/pets?x${index}=1`,
    ]
    const invented = `pet_${index}_${'x'.repeat(40)}`
    await server.inject({
      method: methods[index % methods.length] as 'GET',
      url: paths[index % paths.length] as string,
      headers: {
        authorization: `Bearer ${index % 3 === 0 ? key : invented}`,
        'x-request-id': `id-${index}`,
        'user-agent': `agent ${index}`,
        host: `h${index}.example`,
        'idempotency-key': `k${index}`,
      },
    })
  }
}
