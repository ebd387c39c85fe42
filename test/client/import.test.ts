import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  PetstoreApiError,
  PetstoreClient,
  PetstoreConnectionError,
} from '../../client/src/index.ts'
import { startPetstore } from '../../src/start-petstore.ts'
import { startHttpFaults } from '../processes/http-faults.ts'

const rowsOf = (count: number, row: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index)).join('\n')
const pets = (count: number) => `name,categoryId\n${rowsOf(count, (index) => `Pet ${index},7`)}\n`

describe('imports of the client', () => {
  let store: Awaited<ReturnType<typeof startPetstore>>
  let proxy: Awaited<ReturnType<typeof startHttpFaults>>
  let client: PetstoreClient
  before(async () => {
    store = await startPetstore()
    proxy = await startHttpFaults(store.baseUrl)
    client = new PetstoreClient({ key: store.key, baseUrl: proxy.baseUrl, maxRetries: 0 })
  })
  after(async () => {
    await proxy.close()
    await store.close()
  })
  beforeEach(async () => {
    await store.reset()
    proxy.decide = undefined
    proxy.seen.length = 0
  })
  const countPets = async () => (await client.pets.list({ limit: 1 }, { count: true })).total
  const isStore = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && !path.includes('dryRun')

  it('a text, bytes, a Blob of a type for spreadsheets, files by their names, a stream, and a list as JSON', async () => {
    const csv = 'name,categoryId\nRex,7\n'
    const lines = '{"name":"Max","categoryId":9007199254740993}\n'
    const reports = [
      await client.pets.import(csv),
      await client.pets.import(new TextEncoder().encode(csv), { dryRun: true }, { again: 1 }),
      await client.pets.import(
        new Blob([csv], { type: 'application/vnd.ms-excel' }),
        {},
        { again: 2 },
      ),
      await client.pets.import(new File([lines], 'pets.jsonl', { type: 'text/plain' })),
      await client.pets.import(new Blob([lines]).stream(), {}, { idempotencyKey: 'once' }),
      await client.pets.import(lines, {}, { idempotencyKey: 'once' }),
    ]
    const listed = new Blob([await (await fetchPets()).text()])
    reports.push(await client.pets.import(listed, { ignoreIds: true }))

    assert.deepEqual(
      reports.map(({ created }) => created),
      [1, 1, 1, 1, 1, 1, 4],
    )
    const categories = (await client.pets.list()).data.map(({ categoryId }) => categoryId)
    const large = 9_007_199_254_740_993n
    assert.deepEqual(categories, [7, 7, large, large, 7, 7, large, large])
  })
  const fetchPets = () =>
    fetch(`${store.baseUrl}/pets`, { headers: { authorization: `Bearer ${store.key}` } })

  it('a file in parts: all are checked before one is stored; cut off, the same call goes on; `again` imports it once more', async () => {
    const told: object[] = []
    let stores = 0
    proxy.decide = (request) => (isStore(request) && ++stores === 2 ? 'cut after' : undefined)
    const file = pets(2_500)

    const cut = client.pets.import(file, {}, { onProgress: (progress) => told.push(progress) })
    await assert.rejects(cut, PetstoreConnectionError)
    const kinds = proxy.seen.map((request) => isStore(request))
    const tried = await client.pets.import(file, { dryRun: true })
    const rest = await client.pets.import(file).withResponse()
    const found = await client.pets.import(file, { dryRun: true })
    const replayed = await client.pets.import(file).withResponse()

    assert.deepEqual(kinds, [false, false, false, true, true])
    assert.deepEqual(told.at(-1), { rows: 2_500, checked: 2_500, stored: 1_000 })
    assert.equal(tried.storedAt, undefined)
    assert.deepEqual([rest.data.rows, rest.data.created, rest.isReplayed], [2_500, 2_500, false])
    assert.deepEqual([found.storedAt, replayed.isReplayed], [rest.data.storedAt, true])
    assert.equal(await countPets(), 2_500)
    await client.pets.import(file, {}, { again: 1 })
    assert.equal(await countPets(), 5_000)
    await assert.rejects(client.pets.import(file, { ignoreIds: true }), {
      code: 'idempotency_key_reused',
    })
  })

  it('a wrong row in a later part refuses the file, and names the line of the file', async () => {
    const file = `\n${pets(1_999)}Wrong,x\n`

    await assert.rejects(client.pets.import(file), (error) => {
      assert.ok(error instanceof PetstoreApiError)
      assert.deepEqual([error.status, error.code, error.problems.length], [422, 'rows_refused', 1])
      assert.deepEqual([error.problems[0]?.line, error.problems[0]?.column], [2_002, 'categoryId'])
      assert.match(
        error.message,
        /^422 rows_refused: 1 of 2000 rows .*line 2002, .* \(importPets, /,
      )
      return true
    })
    assert.equal(await countPets(), 0)
  })

  it('onError=skip reports on all parts; the refused rows are one file, which is right once they are repaired', async () => {
    const row = (index: number) => `"Pet; ${index}\r\n";${index % 1_100 === 7 ? 'x' : 7}`
    const sheet = `sep=;\r\nname;categoryId;notes\r\n${rowsOf(2_300, row).replaceAll('\r\n"', ' "')}`
    let refused = ''

    const report = await client.pets.import(
      sheet,
      { onError: 'skip' },
      { onRefused: (csv) => (refused = csv) },
    )
    const repaired = await client.pets.import(refused.replaceAll(';x', ';8'))

    assert.deepEqual([report.created, report.refused], [2_297, 3])
    assert.deepEqual(
      report.problems.map(({ line }) => line),
      [10, 1_110, 2_210],
    )
    assert.match(
      refused,
      /^sep=;\r?\nerror;name;categoryId;notes\r?\n"?categoryId.*;"Pet; 7 ";x\r?\n/,
    )
    assert.deepEqual([repaired.created, repaired.ignored], [3, [{ column: 'notes' }]])
    assert.equal(await countPets(), 2_300)
  })

  it('an array of JSON in parts, of which each has rows with other members: one file of the refused rows', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => ({
      name: `Pet ${index}`,
      categoryId: index % 1_000 === 3 ? 'x' : 7,
      ...(index > 1_000 && { colour: 'red' }),
    }))
    let refused = ''

    const report = await client.pets.import(
      new File([JSON.stringify(rows, undefined, 2)], 'pets.json'),
      { onError: 'skip', dryRun: true },
      { onRefused: (csv) => (refused = csv) },
    )

    assert.deepEqual([report.created, report.refused, report.storedAt], [1_498, 2, undefined])
    // An object of two members takes four lines, one of three five.
    assert.deepEqual(
      report.problems.map(({ line }) => line),
      [2 + 3 * 4, 2 + 1_001 * 4 + 2 * 5],
    )
    const [head, first, second] = refused.split('\r\n')
    assert.equal(
      head,
      'error,id,name,category,categoryId,status,description,price,currency,bornOn,sex,tags',
    )
    assert.match(String(first), /,Pet 3,,x,,,,,,,$/)
    assert.match(String(second), /,Pet 1003,,x,,,,,,,$/)
    assert.equal(await countPets(), 0)
  })

  it('as many changes as a part takes, and no more, are in each; what is no UTF-8 is not sent', async () => {
    await client.pets.import(pets(450))
    const changed = rowsOf(450, (index) => `${index + 1},pending,New ${index}`)
    const report = await client.pets.import(`ID,status,name\n${changed}\n,,Added\n`, {
      onError: 'skip',
    })
    proxy.seen.length = 0
    const latin = client.pets.import(new Uint8Array(3_000_000).fill(0xe9))

    assert.deepEqual([report.updated, report.created, report.refused], [450, 0, 1])
    await assert.rejects(latin, /The file is not UTF-8/)
    assert.equal(proxy.seen.length, 0)
  })
})
