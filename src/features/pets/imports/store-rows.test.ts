import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../../test/harness/app.ts'
import { petsIn, importFile as send } from '../../../../test/harness/imports.ts'

async function countOf(api: TestApi): Promise<string | undefined> {
  const headers = { prefer: 'count=exact' }
  return (await api.get('/v1/pets?limit=1', { headers })).headers['x-total-count']
}

it('200: the same request with its Idempotency-Key makes no pet twice; a dry run with it says when it was stored', async () => {
  const { api, clock } = await startApp({ now: '2027-01-01T00:00:00Z' })
  const headers = { 'idempotency-key': 'spring' }
  const file = `name,categoryId\n${'Rex,7\n'.repeat(450)}Max,x\n`
  const query = '?onError=skip'
  const dryRun = `${query}&dryRun=true`

  const tried = await send(api, file, { headers, query: dryRun })
  const first = await send(api, file, { headers, query })
  clock.ms += 60_000
  const second = await send(api, file, { headers, query })
  const dry = await send(api, file, { headers, query: dryRun })

  assert.equal(first.status, 200, first.text)
  assert.doesNotMatch(tried.text, /storedAt/)
  assert.equal(tried.headers['idempotency-replayed'], undefined)
  for (const { text, headers } of [second, dry])
    assert.deepEqual([text, headers['idempotency-replayed']], [first.text, 'true'])
  assert.match(first.text, /"created":450.*"storedAt":"2027-01-01T00:00:00.000Z"/)
  assert.equal(await countOf(api), '450')
  for (const [other, otherQuery] of [
    [`${file}Tara,4\n`, query],
    [file, `${query}&ignoreIds=true`],
    [`${file}Tara,4\n`, dryRun],
  ] as const) {
    const refused = await send(api, other, { headers, query: otherQuery })
    expectError(refused, 422, 'idempotency_key_reused')
  }
  assert.equal(await countOf(api), '450')
})

it('200: twins with one Idempotency-Key at once store each row once', async () => {
  const { api } = await startApp()
  const file = `name,categoryId\n${'Rex,7\n'.repeat(450)}`
  const headers = { 'idempotency-key': 'twice' }

  const twins = await Promise.all([1, 2].map(() => send(api, file, { headers })))

  assert.deepEqual(
    twins.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(twins[0]?.text, twins[1]?.text)
  assert.equal(await countOf(api), '450')
})

it('413: more rows, more changes, more bytes than there may be; as many are stored', async () => {
  const { api } = await startApp()
  await api.createPet()
  const creates = (count: number) => `name,categoryId\n${'Rex,7\n'.repeat(count)}\n,,\n`
  const changes = (count: number) => `id,name\n${'1,Max\n'.repeat(count)}`
  const bytes = (count: number) => `name,categoryId\nRex,7\n${'\n'.repeat(count - 22)}`

  for (const [file, most] of [
    [creates(1_001), /more than 1000 rows, the maximum/],
    [changes(201), /more than 200 rows that change a record/],
    [`${changes(200).replace('1,Max', 'x,Max')}1,Max\n`, /more than 200 rows/],
    [bytes(2 ** 21 + 1), /larger than 2097152 bytes/],
  ] as const) {
    const refused = await send(api, file, { query: '?onError=skip' })
    expectError(refused, 413, 'body_too_large')
    assert.match(refused.text, most)
    assert.deepEqual(await petsIn(api), ['1 Rex 7 -'])
  }
  for (const [file, query] of [
    [creates(1_000), ''],
    [changes(200), ''],
    [changes(201).replaceAll('\n', ',7\n').replace(',7', ',categoryId'), '?ignoreIds=true'],
    [bytes(2 ** 21), ''],
  ] as const)
    assert.equal((await send(api, file, { query })).status, 200)
  assert.equal(await countOf(api), String(1 + 1_000 + 201 + 1))
})

const categoriesOf = async (api: TestApi) =>
  ((await api.get('/v1/categories')).json() as { name: string }[]).map(({ name }) => name)

it('200: a category by its name, as names are alike; 422 where no category has it, or another than categoryId says', async () => {
  const { api } = await startApp()
  for (const name of ['Dogs', 'Cats']) await api.post('/v1/categories', { name })
  await api.createPet({ categoryId: 9 })
  const headers = { accept: 'application/problem+json' }

  const stored = await send(
    api,
    'id,name,category,categoryId\n1,,DOGS,\n,Tara,ca\u200bts ,2\n,Max,,77\n',
  )
  const file = 'name,category,categoryId\nA,Cars,\nB,Cats,1\nC,,\nD,Zebras,7\n'
  const refused = await send(api, file, { headers, query: '?createCategories=true' })
  const unknown = await send(api, file, { headers })

  assert.equal(stored.status, 200, stored.text)
  assert.deepEqual(await petsIn(api), ['1 Rex 1 -', '2 Tara 2 -', '3 Max 77 -'])
  const problemsIn = ({ json }: typeof refused) => (json() as { errors: object[] }).errors
  const others = [
    {
      line: 3,
      column: 'category',
      code: 'invalid_body',
      detail: 'is "Cats", the category 2, while categoryId is 1: leave one of them out',
    },
    { line: 4, column: 'categoryId', code: 'invalid_body', detail: 'is missing' },
    {
      line: 5,
      column: 'category',
      code: 'not_found',
      detail: 'is the name of no category; received "Zebras"',
    },
  ]
  assert.deepEqual(problemsIn(refused), others)
  const detail = 'is the name of no category; received "Cars"'
  assert.deepEqual(problemsIn(unknown), [
    { line: 2, column: 'category', code: 'not_found', detail },
    ...others,
  ])
  assert.deepEqual(await categoriesOf(api), ['Dogs', 'Cats'])
})

it('200: createCategories adds each name once, but none that only refused rows have; a dry run adds none', async () => {
  const { api } = await startApp()
  await api.post('/v1/categories', { name: 'Dogs' })
  const file = 'id,name,category\n,A,Snails\n,B,SNAILS\n,C,dogs\n9,D,Newts\n,E,Frogs\n'
  const query = '?onError=skip&createCategories=true'

  const dry = await send(api, file, { query: `${query}&dryRun=true` })
  const categories = await categoriesOf(api)
  const stored = await send(api, file, { query })

  const reportOf = ({ json }: typeof dry) => {
    const { created, refused, newCategories } = json() as Record<string, unknown>
    return { created, refused, newCategories }
  }
  const report = { created: 4, refused: 1, newCategories: ['Snails', 'Frogs'] }
  assert.deepEqual([reportOf(dry), reportOf(stored)], [report, report])
  assert.deepEqual(categories, ['Dogs'])
  assert.deepEqual(await categoriesOf(api), ['Dogs', 'Snails', 'Frogs'])
  // By names: on PostgreSQL a dry run may use up ids.
  const { text } = await api.get('/v1/pets/export', { headers: { accept: 'text/csv' } })
  const pets = text.split('\r\n').map((line) => line.split(',').slice(1, 3).join(' '))
  assert.deepEqual(pets.slice(1, -1), ['A Snails', 'B Snails', 'C Dogs', 'E Frogs'])
})
