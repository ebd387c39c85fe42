import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { digitsOf } from '../../contract/currencies.ts'

const whole = {
  description: 'Talks.\r\n\tAt home with others. "=1+1"',
  price: { amount: '249.00', currency: 'EUR' },
  bornOn: '2024-02-29',
  sex: 'female',
  tags: ['tame', 'für-Kinder', '=x'],
}

type Headers = Record<string, string>
const at = (id: number | bigint) => `/v1/pets/${id}/details`
const put = (api: TestApi, id: number | bigint, body: unknown, headers: Headers = {}) =>
  api.send('PUT', at(id), { body, headers })

async function startWithPets(count = 3) {
  const app = await startApp({ now: '2027-01-01T12:00:00Z' })
  for (let index = 0; index < count; index++) await app.api.createPet({ status: 'available' })
  return app
}

it('201, then 200: PUT stores all of it and replaces all of it; GET and the list show it', async () => {
  const { api } = await startWithPets()

  const first = await put(api, 2, {
    ...whole,
    price: { ...whole.price, note: 'VAT' },
    colour: 'red',
  })
  const second = await put(api, 2, { sex: 'male' })
  const { currency, amount } = { currency: 'EUR', amount: '1.00' }
  await put(api, 3, { price: { currency, amount } })

  assert.deepEqual([first.status, first.json()], [201, { petId: 2, ...whole }])
  assert.equal(first.headers.location, 'http://petstore.test/v1/pets/2/details')
  assert.equal(first.headers['petstore-ignored'], 'colour, price.note')
  assert.deepEqual([second.status, second.text], [200, '{"petId":2,"sex":"male"}'])
  assert.equal(second.headers.location, undefined)
  assert.notEqual(first.headers.etag, second.headers.etag)
  const got = await api.get(at(2))
  assert.deepEqual([got.text, got.headers.etag], [second.text, second.headers.etag])
  const third = '{"petId":3,"price":{"amount":"1.00","currency":"EUR"}}'
  assert.equal((await api.get('/v1/details')).text, `[${second.text},${third}]`)
})

it('404: without details, without the pet, or once it is withdrawn; the details go with the pet', async () => {
  const { api } = await startWithPets()
  await put(api, 2, whole)

  for (const [method, url] of [
    ['GET', at(1)],
    ['DELETE', at(1)],
    ['GET', at(9)],
    ['PUT', at(9)],
  ] as const)
    expectError(
      await api.send(method, url, method === 'PUT' ? { body: whole } : {}),
      404,
      'not_found',
    )
  assert.equal((await api.send('DELETE', '/v1/pets/2')).status, 204)

  for (const method of ['GET', 'PUT', 'DELETE'])
    expectError(
      await api.send(method, at(2), method === 'PUT' ? { body: whole } : {}),
      404,
      'not_found',
    )
  assert.equal((await api.get('/v1/details')).text, '[]')
})

it('412: If-Match where others were faster or there are none, If-None-Match where there are some', async () => {
  const { api } = await startWithPets()
  const none = await put(api, 1, whole, { 'if-match': '*' })
  const { headers } = await put(api, 1, whole, { 'if-none-match': '*' })
  const again = await put(api, 1, { sex: 'male' }, { 'if-none-match': '*' })

  const both = await Promise.all(
    ['male', 'female'].map((sex) => put(api, 1, { sex }, { 'if-match': String(headers.etag) })),
  )
  const stale = { headers: { 'if-match': String(headers.etag) } }
  const deleted = await api.send('DELETE', at(1), stale)

  for (const refused of [none, again, deleted]) expectError(refused, 412, 'precondition_failed')
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  expectError(await put(api, 1, whole, { 'if-none-match': 'x' }), 400, 'invalid_parameter')
  assert.equal((await api.send('DELETE', at(1), { headers: { 'if-match': '*' } })).status, 204)
  expectError(await api.get(at(1)), 404, 'not_found')
})

it('events tell of each change, also by petId; the deletion of the pet stands for its details', async () => {
  const { api } = await startWithPets(1)
  await put(api, 1, { sex: 'male', price: whole.price })
  await put(api, 1, { price: whole.price, sex: 'male' })
  await put(api, 1, { sex: 'female' })
  await api.send('DELETE', at(1))
  await put(api, 1, { sex: 'male' })
  await api.send('DELETE', '/v1/pets/1')

  const events = (await api.get('/v1/events?petId=1')).json() as Record<string, unknown>[]

  assert.deepEqual(
    events.slice(1).map(({ type, data, previous }) => [type, data, previous]),
    [
      ['details.updated', { petId: 1, price: whole.price, sex: 'male' }, undefined],
      ['details.updated', { petId: 1, sex: 'female' }, { price: whole.price, sex: 'male' }],
      ['details.deleted', { petId: 1, sex: 'female' }, undefined],
      ['details.updated', { petId: 1, sex: 'male' }, undefined],
      ['pet.deleted', events[0]?.data, undefined],
    ],
  )
})

it('200: the list by pets, tag and currency, each with the others; tags are whole words', async () => {
  const { api } = await startWithPets(5)
  const priced = (currency: string) => ({ price: { amount: '5.00', currency } })
  await put(api, 1, { tags: ['tame', 'old'], ...priced('EUR') })
  await put(api, 2, { tags: ['tamed'], ...priced('EUR') })
  await put(api, 4, { tags: ['tame'], ...priced('USD') })
  await put(api, 5, { tags: ['old'] })
  await put(api, 5, { tags: ['tame'], ...priced('EUR') })

  for (const [query, ids] of [
    ['', [1, 2, 4, 5]],
    ['petId=4&petId=2&petId=9', [2, 4]],
    ['tag=tame', [1, 4, 5]],
    ['tag=tame&limit=1&after=1', [4]],
    ['tag=tame&sort=-id&limit=2', [5, 4]],
    ['tag=old', [1]],
    ['tag=ta', []],
    ['tag=TAME', []],
    ['currency=EUR', [1, 2, 5]],
    ['currency=EUR&tag=tame', [1, 5]],
    ['currency=EUR&tag=tame&petId=5', [5]],
  ] as const) {
    const response = await api.get(`/v1/details?${query}`, { headers: { prefer: 'count=exact' } })
    const found = response.json() as { petId: number }[]
    assert.deepEqual(
      found.map(({ petId }) => petId),
      ids,
      query,
    )
    if (!/limit/.test(query)) assert.equal(response.headers['x-total-count'], String(ids.length))
  }
  for (const query of ['tag=a%20b', 'tag=a&tag=a', 'tag=', 'currency=eur', 'petId=x']) {
    const response = await api.get(`/v1/details?${query}`)
    expectError(response, 400, 'invalid_parameter')
  }
})

const eur = (amount: unknown) => ({ price: { amount, currency: 'EUR' } })
const inCurrency = (currency: unknown, amount = '249.00') => ({ price: { amount, currency } })
const wrong: [body: unknown, ...pointers: string[]][] = [
  ...[
    '249',
    '249.0',
    '249.001',
    '-1.00',
    '-0.00',
    '1e2',
    ' 1.00',
    '1.00 ',
    '٣.00',
    '１.00',
    '01.00',
  ].map((amount): [unknown, string] => [eur(amount), '/price/amount']),
  [eur('1234567890123456789'), '/price/amount'],
  [eur('1234567890123456.00'), '/price/amount'],
  [eur(249), '/price/amount'],
  [inCurrency('JPY'), '/price/amount'],
  [inCurrency('KWD'), '/price/amount'],
  [inCurrency('eur'), '/price/currency'],
  [inCurrency('EURO'), '/price/currency'],
  [inCurrency('XXX'), '/price/currency'],
  [{ price: { amount: '1.00' } }, '/price/currency'],
  [{ price: '249.00 EUR' }, '/price'],
  [{ bornOn: '2023-02-29' }, '/bornOn'],
  [{ bornOn: '2027-01-03' }, '/bornOn'],
  [{ bornOn: '2024-02-29T00:00:00Z' }, '/bornOn'],
  [{ sex: 'f' }, '/sex'],
  [{ tags: [] }, '/tags'],
  [{ tags: ['tame', 'tame'] }, '/tags'],
  [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, '/tags'],
  [{ tags: ['a|b', 'a b', 'x'.repeat(41), ''] }, '/tags/0', '/tags/1', '/tags/2', '/tags/3'],
  [{ description: '' }, '/description'],
  [{ description: '\n\t' }, '/description'],
  [{ description: 'a\u0000' }, '/description'],
  [{ description: 'x'.repeat(5_001) }, '/description'],
  [{ description: null, sex: 7 }, '/description', '/sex'],
  [{}, ''],
  [{ colour: 'red' }, ''],
  [[], ''],
]

it('400: what is wrong is named by its pointer, and nothing is stored', async () => {
  const { api } = await startWithPets(1)

  for (const [body, ...pointers] of wrong) {
    const headers = { accept: 'application/problem+json' }
    const response = await put(api, 1, body, headers)
    assert.equal(response.status, 400, JSON.stringify(body))
    const { errors } = response.json() as { errors: { pointer: string }[] }
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      pointers,
      response.text,
    )
  }
  const strict = { prefer: 'handling=strict', accept: 'application/problem+json' }
  const unknown = await put(api, 1, { price: { ...whole.price, curency: 'x' } }, strict)
  assert.match(unknown.text, /"pointer":"\/price\/curency".*did you mean currency/)
  expectError(await api.get(at(1)), 404, 'not_found')
})

const amounts = fc
  .tuple(fc.constantFrom(...digitsOf), fc.bigInt(0n, 10n ** 15n - 1n), fc.nat(9_999))
  .map(([[currency, digits], before, behind]) => ({
    amount: `${before}${digits === 0 ? '' : `.${String(behind).padStart(4, '0').slice(0, digits)}`}`,
    currency,
  }))

it('200: every amount of every currency comes back with the digits that it came with', async () => {
  const { api } = await startWithPets(1)

  await fc.assert(
    fc.asyncProperty(amounts, async (price) => {
      const response = await put(api, 1, { price })
      assert.ok(response.status < 300, response.text)
      assert.deepEqual((await api.get(at(1))).json(), { petId: 1, price })
    }),
    { numRuns: 30 },
  )
})

it('201: an order keeps the price of its moment, and has none where there was none', async () => {
  const { api } = await startWithPets(2)
  await put(api, 1, whole)
  const order = async (petId: number) =>
    (await api.post('/v1/store/orders', { petId })).json() as { id: number; unitPrice?: object }

  const [priced, free] = [await order(1), await order(2)]
  await put(api, 1, eur('300.00'))
  const shipped = await api.send('POST', `/v1/store/orders/${priced.id}/ship`)

  assert.deepEqual(priced.unitPrice, whole.price)
  assert.equal('unitPrice' in free, false)
  assert.deepEqual((shipped.json() as typeof priced).unitPrice, whole.price)
  const exported = (await api.get('/v1/store/orders/export')).text.split('\r\n')
  assert.match(exported[0] ?? '', /,reference,unitPrice,currency$/)
  assert.match(exported[1] ?? '', /,249\.00,EUR$/)
  assert.match(exported[2] ?? '', /,,$/)
})
