import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../harness/app.ts'
import { startListening } from './start-listening.ts'

const noSuchIds = [
  ['2', '-1', '01', '00', '+1', '%2B1', '1e2', '1.0', '0x1', '1_0', '%20', '%201', '1%20', '1%0A'],
  ['%2F', '%2f1', '1%2F', '1%2F..', '%00', '1%00', '%C3%A9', '%D9%A1', '%EF%BC%91', 'NaN', 'null'],
  ['9223372036854775807', '9223372036854775808', '18446744073709551617', '9'.repeat(10_000)],
  [
    '',
    '.',
    '..',
    '...',
    '1/',
    '1//',
    '1/..',
    '..%2F..',
    '%2e%2e',
    '*',
    '1;a=b',
    '1,2',
    'a'.repeat(10_000),
  ],
].flat()

it('404: an id of a pet that is not valid; 400 when it cannot be decoded', async () => {
  const { api, open, get, receive, expectServes } = await startListening()
  const pet = await api.createPet()
  await using connection = await open()

  for (const id of noSuchIds) {
    connection.send(get('', `/v1/pets/${id}`))
    const answer = await receive(connection, 'GET', `/v1/pets/${id}`)
    expectError(answer, 404, 'not_found')
  }
  for (const id of ['%ff', '%zz', '%', '1%', '%C3', '%ED%A0%80', '%C0%AF']) {
    connection.send(get('', `/v1/pets/${id}`))
    expectError(await receive(connection, 'GET', `/v1/pets/${id}`), 400, 'invalid_request')
  }
  for (const id of ['1', '%31']) {
    connection.send(get('', `/v1/pets/${id}`))
    assert.deepEqual(JSON.parse((await receive(connection, 'GET', '/v1/pets/1')).text), pet)
  }
  await expectServes(1)
})

const refused: Record<string, string[]> = {
  limit: [
    ['0', '-0', '-1', '101', '1.5', '1e1', '%2B5', '%205', '5+'],
    ['', '%ff', '%zz', '5%', '5%00', 'five', 'true', '1,2'],
    ['9'.repeat(400), '9223372036854775808', 'Infinity', 'NaN', '1?limit=1', '1;limit=1'],
  ].flat(),
  status: ['', 'AVAILABLE', 'available,sold', 'available%20', '%20sold', '%ff', '%zz', 'soId'],
  sort: ['', 'ID', 'Name', '+id', '%2Bid', 'id,-id', '--id', '-', '%ff', '%zz', 'asc'],
  categoryId: [
    '',
    '01',
    '+1',
    '1.0',
    '-0',
    '%ff',
    '%zz',
    '7%00',
    '9223372036854775808',
    '-9223372036854775809',
  ],
  id: ['', '01', '1,2', '%ff', '%zz', 'one', '9223372036854775808', '1&id=x', '1'.repeat(500)],
}

it('400 invalid_parameter: every parameter, malformed, and repeated where it may come once', async () => {
  const { api, get, open, receive, expectServes } = await startListening()
  await api.createPet()
  await using connection = await open()
  const ask = async (query: string) => {
    connection.send(get('', `/v1/pets?${query}`))
    return await receive(connection, 'GET', '/v1/pets')
  }

  for (const [name, values] of Object.entries(refused)) {
    for (const value of values) {
      const answer = await ask(`${name}=${value}`)
      expectError(answer, 400, 'invalid_parameter')
      assert.match(JSON.parse(answer.text).message, new RegExp(`^${name} must be .*; received `))
    }
  }
  for (const twice of [
    'limit=5&limit=5',
    'status=sold&status=sold',
    'sort=id&sort=id',
    'categoryId=7&categoryId=7',
    'limit=5&%6Cimit=5',
  ]) {
    expectError(await ask(twice), 400, 'invalid_parameter')
  }
  expectError(await ask('id=1&'.repeat(101)), 400, 'invalid_parameter')
  await expectServes(1)
})

it('400: one response names every bad parameter', async () => {
  const { api } = await startApp()

  const response = await api.get(
    '/v1/pets?limit=0&status=gone&sort=Name&categoryId=1.5&id=x&cursor=',
  )

  expectError(response, 400, 'invalid_parameter')
  const { message } = JSON.parse(response.text)
  for (const name of ['limit', 'status', 'sort', 'categoryId', 'id', 'cursor']) {
    assert.match(message, new RegExp(`\\b${name}\\b[^;]* must be`))
  }
})

it('400: a bad cursor is named beside other bad parameters, unless it may be right', async () => {
  const { api } = await startApp()
  for (const name of ['One', 'Two']) await api.createPet({ name, status: 'sold' })
  const link = (await api.get('/v1/pets?status=sold&limit=1')).headers.link ?? ''
  const cursor = /cursor=([^&>]+)/.exec(link)?.[1] ?? ''

  for (const [query, isNamed] of [
    ['limit=0&cursor=garbage', true],
    [`limit=0&cursor=${cursor}`, true],
    [`limit=0&status=sold&cursor=${cursor}`, false],
    ['status=gone&cursor=garbage', true],
    [`status=gone&cursor=${cursor}`, false],
  ] as const) {
    const response = await api.get(`/v1/pets?${query}`)
    expectError(response, 400, 'invalid_parameter')
    assert.equal(/cursor must be/.test(response.text), isNamed, query)
  }
})

it('200: unknown parameters are ignored, and characters may be percent-encoded', async () => {
  const { api, get, open, receive } = await startListening()
  await api.createPet({ status: 'sold' })
  await using connection = await open()

  for (const query of [
    '',
    '&',
    '=',
    'Limit=0',
    'limit[]=0',
    '%ff=0',
    '__proto__=1',
    'name=%52EX',
    `x=${'a'.repeat(10_000)}`,
    'limit=%31',
    '%6c%69mit=1',
    'status=%73old',
    'sort=%2Did',
    'id=1&id=1',
    'id=1&id=2&id=-3',
    'categoryId=7&x=1?2',
    'id=1&'.repeat(100),
  ]) {
    connection.send(get('', `/v1/pets?${query}`))
    const answer = await receive(connection, 'GET', '/v1/pets')
    assert.equal(answer.status, 200, `${query}: ${answer.text}`)
    assert.match(answer.text, /^\[\{"id":1,[^{]*\}\]$/, query)
  }
})
