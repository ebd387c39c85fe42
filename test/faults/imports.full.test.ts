import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aDirectory, ask } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

const rows = 30_000
const wrong = 50
const file = `name,categoryId\n${Array.from({ length: rows }, (_, index) => `Pet ${index},${index < rows - wrong ? index : 'x'}\n`).join('')}`

/** Ways in which an import ends before its end. */
const ends = ['kill', 'cut', 'stop', 'kill', 'cut'] as const

for (const engine of ['sqlite', 'postgres'] as const) {
  it(`200: on ${engine}, an import that is killed, cut off and stopped makes no pet twice, and ends with its whole report`, async (t) => {
    const env = settingsFor(aDirectory(t))
    if (engine === 'postgres') {
      const server = await anyPostgres()
      t.after(() => server.stop())
      env.PETSTORE_DATABASE = await server.createDatabase()
    }
    let service = await startService({ env })
    t.after(() => service.kill())
    const stored: number[] = []

    for (const end of ends) {
      const before = await countPets(service)
      const leaving = new AbortController()
      const sent = importFile(service, leaving.signal).catch(() => undefined)
      while ((await countPets(service)) <= before) await new Promise(setImmediate)
      if (end === 'cut') leaving.abort()
      else await service[end]()
      const response = await sent
      assert.notEqual(response?.status, 200, 'the import was over too soon')
      if (end !== 'cut') service = await startService({ env })
      stored.push(await countPets(service))
    }
    const last = await finish(service)

    t.diagnostic(`stored at each end: ${stored.join(', ')}`)
    assert.deepEqual(
      stored,
      stored.toSorted((a, b) => a - b),
    )
    assert.ok((stored.at(-1) ?? rows) < rows - wrong)
    const { problems, ...report } = JSON.parse(last)
    assert.deepEqual(report, {
      ...{ rows, created: rows - wrong, updated: 0, refused: wrong },
      ignored: [],
    })
    assert.equal(problems.length, wrong)
    assert.equal(await countPets(service), rows - wrong)
    assert.equal(
      (await ask(`${service.baseUrl}/pets?categoryId=0`, service.key)).text.split('"id"').length,
      2,
    )
    assert.equal(await finish(service), last)
    await service.stop()
  })
}

function importFile({ baseUrl, key }: Service, signal?: AbortSignal) {
  return ask(`${baseUrl}/pets/import?onError=skip`, key, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', 'idempotency-key': 'spring' },
    body: file,
    ...(signal ? { signal } : {}),
  })
}

/** Sends the import until it ends. The one before it may still be in progress for a moment. */
async function finish(service: Service): Promise<string> {
  for (;;) {
    const { status, text } = await importFile(service)
    if (status === 200) return text
    assert.equal(status, 409, text)
  }
}

/** A busy machine may be too slow for a count, which is then refused. */
async function countPets({ baseUrl, key }: Service): Promise<number> {
  for (;;) {
    const { status, headers, text } = await ask(`${baseUrl}/pets?limit=1`, key, {
      headers: { prefer: 'count=exact' },
    })
    if (status === 200) return Number(headers.get('x-total-count'))
    assert.equal(status, 503, text)
  }
}
