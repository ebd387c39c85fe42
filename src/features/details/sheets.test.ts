import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp, type TestApi } from '../../../test/harness/app.ts'
import { importFile, ndjson } from '../../../test/harness/imports.ts'

const told = [
  {
    description: '=1+1, "quoted"\r\nsecond line; third|fourth',
    price: { amount: '249.00', currency: 'EUR' },
    bornOn: '2024-02-29',
    sex: 'female',
    tags: ['tame', '=x', 'a;b,"c'],
  },
  { price: { amount: '24900', currency: 'JPY' }, tags: ['+1'] },
  { description: ' spaces stay ' },
]

const detailsIn = async (api: TestApi) => (await api.get('/v1/details')).json()

async function startWithDetails() {
  const { api } = await startApp()
  for (const [index, body] of told.entries()) {
    await api.createPet({ status: 'available' })
    assert.equal((await api.send('PUT', `/v1/pets/${index + 1}/details`, { body })).status, 201)
  }
  await api.createPet()
  return api
}

for (const type of ['text/csv', 'application/x-ndjson']) {
  it(`200: details go out as ${type} and in again without a loss`, async () => {
    const api = await startWithDetails()

    const { text } = await api.get('/v1/pets/export', { headers: { accept: type } })
    const { api: other } = await startApp()
    const headers = { 'content-type': type }
    const added = await importFile(other, text, { query: '?ignoreIds=true', headers })
    const before = (await api.get('/v1/events?limit=100')).json() as unknown[]
    const again = await importFile(api, text, { headers })

    assert.deepEqual([added.status, again.status], [200, 200], added.text + again.text)
    assert.deepEqual(await detailsIn(other), await detailsIn(api))
    assert.deepEqual(
      await detailsIn(api),
      told.map((one, index) => ({ petId: index + 1, ...one })),
    )
    assert.deepEqual((await api.get('/v1/events?limit=100')).json(), before)
    if (type === 'text/csv')
      assert.match(
        text,
        /^id,name,category,categoryId,status,description,price,currency,bornOn,sex,tags\r\n/,
      )
  })
}

it('200: a price with its currency in one column or in two, or in that of the request; the rest stays', async () => {
  const api = await startWithDetails()
  const rows = [
    'id,price,currency,sex,tags',
    '1,300.00 EUR,,male,',
    '2,7.5,,,',
    '3,12.50 USD,USD,,old | tame',
    '4,,USD,,',
  ].map((row) => row.replace('7.5,', '7.50,'))

  const response = await importFile(api, rows.join('\n'), { query: '?currency=CHF' })

  assert.equal(response.status, 200, response.text)
  const [first, second, third] = told
  assert.deepEqual(await detailsIn(api), [
    { petId: 1, ...first, price: { amount: '300.00', currency: 'EUR' }, sex: 'male' },
    { petId: 2, ...second, price: { amount: '7.50', currency: 'CHF' } },
    { petId: 3, ...third, price: { amount: '12.50', currency: 'USD' }, tags: ['old', 'tame'] },
  ])
})

it('422: what is wrong with a price is told in words, in its column', async () => {
  const { api } = await startApp()
  const wrong: [cells: string, column: string, detail: RegExp][] = [
    [
      '"1.234,56 €",EUR,,',
      'price',
      /^must be a string with a decimal .* such as 249\.00.*received "1\.234,56 €"/,
    ],
    ['249,EUR,,', 'price', /2 behind it/],
    ['249.00,JPY,,', 'price', /none behind it/],
    ['249.00 EUR,USD,,', 'price', /is in EUR, while currency is "USD"/],
    ['249.00,,,', 'currency', /is missing/],
    ['249.00,eur,,', 'currency', /did you mean EUR/],
    [',,2027-02-01,', 'bornOn', /must be 2027-01-02 at most/],
    [',,1.2.2024,', 'bornOn', /must be a date/],
    [',,,"tame, old"', 'tags', /none of them white space.*"tame, old"; \| separates several/],
    [',,,a|a', 'tags', /must be an array of 1 to 20 different tags/],
  ]
  const rows = wrong.map(([cells]) => `Rex,1,${cells}`)
  const file = ['name,categoryId,price,currency,bornOn,tags', ...rows].join('\n')

  const headers = { accept: 'application/problem+json' }
  const response = await importFile(api, file, { headers })

  assert.equal(response.status, 422, response.text)
  const { errors } = response.json() as { errors: { column: string; detail: string }[] }
  assert.equal(errors.length, wrong.length, response.text)
  for (const [index, [cells, column, detail]] of wrong.entries()) {
    assert.equal(errors[index]?.column, column, cells)
    assert.match(errors[index]?.detail ?? '', detail, cells)
  }
  assert.equal((await api.get('/v1/pets')).text, '[]')
  const dry = await importFile(api, `{"name":"Rex","categoryId":1,"price":249}`, {
    headers: { ...ndjson, ...headers },
  })
  assert.match(dry.text, /must be a string, not a number/)
})
