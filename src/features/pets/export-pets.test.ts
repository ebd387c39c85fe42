import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp, type TestApi } from '../../../test/harness/app.ts'
import { amount } from '../../../test/harness/extent.ts'
import { hostileTexts } from '../../../test/harness/hostile-texts.ts'
import { importFile } from '../../../test/harness/imports.ts'
import { defuse, restore } from '../../contract/sheets.ts'
import { splitRecords } from '../../contract/split-records.ts'
import { createPet } from './create-pet.ts'

const asJson = { headers: { accept: 'application/x-ndjson' } }
/** More than one read fetches, and more than a page of a list has. */
const many = amount({ quick: 250, full: 1_200 })

const header = 'id,name,category,categoryId,status,description,price,currency,bornOn,sex,tags\r\n'

const linesOf = ({ text }: { text: string }) => text.split('\n').filter((line) => line !== '')

/** The records of a list as their texts, page after page. */
async function listed(api: TestApi, query: string): Promise<string[]> {
  const found: string[] = []
  for (let url = `/v1/pets?limit=100&${query}`; url !== ''; ) {
    const page = await api.get(url)
    found.push(...(page.json() as unknown[]).map((pet) => JSON.stringify(pet)))
    url = /^<http:\/\/petstore\.test(.+)>; rel="next"$/.exec(page.headers.link ?? '')?.[1] ?? ''
  }
  return found
}

it('200: CSV with a name to be saved under, of all pets', async () => {
  const { api } = await startApp({ now: '2027-03-04T23:59:59Z' })
  await api.createPet({ name: 'Rex, "the" king', categoryId: 7, status: 'available' })
  await api.post('/v1/categories', { name: '=Cats' })
  await api.createPet({ name: '=1+1', categoryId: 1 })

  const response = await api.get('/v1/pets/export')

  assert.equal(response.status, 200)
  assert.equal(
    response.text,
    `${header}1,"Rex, ""the"" king",,7,available,,,,,,\r\n2,'=1+1,'=Cats,1,,,,,,,\r\n`,
  )
  const { headers } = response
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
  assert.equal(headers['content-disposition'], 'attachment; filename="pets-2027-03-04.csv"')
  assert.equal(headers['content-length'], String(Buffer.byteLength(response.text)))
  assert.equal(headers.vary, 'Accept')
})

it('200: an empty store is a header in CSV, and nothing in NDJSON', async () => {
  const { api } = await startApp()

  assert.equal((await api.get('/v1/pets/export')).text, header)
  const { text, headers } = await api.get('/v1/pets/export', asJson)
  assert.deepEqual([text, headers['content-type']], ['', 'application/x-ndjson'])
  assert.match(headers['content-disposition'] ?? '', /\.ndjson"$/)
})

it('200: NDJSON has the records of the list, byte for byte, by its filters and its order', async () => {
  const { api, context } = await startApp()
  const statuses = ['available', 'pending', 'sold', undefined] as const
  await Promise.all(
    Array.from({ length: many }, (_, index) => {
      const status = statuses[index % 4]
      const name = hostileTexts[index % 5] ?? `Rex ${index}`
      return createPet(context, { name, categoryId: BigInt(index % 3), ...(status && { status }) })
    }),
  )

  for (const query of [
    '',
    'sort=-id',
    'status=available',
    'status=sold&categoryId=1&sort=-id',
    'name=rex%209',
    'name=rex&status=pending&sort=-id',
    'name=nobody',
    'search=rex%2099',
    'search=rex&name=rex%201&status=sold&sort=-id',
    'id=7&id=1200&id=5',
  ]) {
    const expected = await listed(api, query)
    assert.deepEqual(linesOf(await api.get(`/v1/pets/export?${query}`, asJson)), expected, query)
  }
})

it('200: no spreadsheet of any dialect runs a text, and an import restores it', async () => {
  const { api } = await startApp()
  const plain = [
    '=cmd()',
    '+1',
    '-1',
    '@a',
    "'=a",
    "'t Hof",
    "''",
    'a=b',
    '＝1',
    '＋1',
    '－1',
    '＠a',
  ]
  const split = [
    'x;=HYPERLINK|1+1;',
    'x,@a',
    'x|=1',
    'x;"=1;',
    '";=1',
    "x;'-1",
    '"=1"',
    'a; b',
    '|',
  ]
  const names = [...plain, ...split]
  for (const name of names) await api.createPet({ name })

  const { text } = await api.get('/v1/pets/export')

  // Another dialect splits at its own delimiter, and a quote inside of a cell quotes nothing there.
  const parts = text.split(/[,;|\t\r\n]/)
  assert.deepEqual(
    parts.filter((part) => /^"*[=+\-@＝＋－＠]/.test(part)),
    [],
  )
  const cells = splitRecords(text, 'text/csv').rows.map((row) => row.cells?.[1] ?? '')
  assert.deepEqual(cells, names.map(defuse))
  assert.deepEqual(cells.map(restore), names)
  const { status } = await importFile(api, text, { query: '?ignoreIds=true' })
  assert.equal(status, 200)
  const imported = JSON.parse((await api.get(`/v1/pets?after=${names.length}&limit=100`)).text)
  assert.deepEqual(
    imported.map(({ name }: { name: string }) => name),
    names,
  )
})

it('206, 304, 416: a part of the same bytes, and nothing where the client has them', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'Rex' })
  const { text, headers } = await api.get('/v1/pets/export')
  const { etag = '' } = headers
  const get = (sent: Record<string, string>) => api.get('/v1/pets/export', { headers: sent })

  const strict = { prefer: 'handling=strict' }
  const part = await get({ ...strict, range: 'bytes=3-', 'if-range': etag })
  assert.deepEqual([part.status, part.text], [206, text.slice(3)])
  assert.equal(part.headers['content-range'], `bytes 3-${text.length - 1}/${text.length}`)
  const known = await get({ 'if-none-match': etag })
  assert.deepEqual([known.status, known.text], [304, ''])
  assert.equal(known.headers['content-disposition'], undefined)
  expectError(await get({ range: 'bytes=9999-' }), 416, 'range_not_satisfiable')

  await api.createPet({ name: 'Max' })
  assert.equal((await get({ 'if-none-match': etag })).status, 200)
  assert.equal((await get({ range: 'bytes=3-', 'if-range': etag })).status, 200)
})

it('400: limit, cursor and after are no parameters of an export', async () => {
  const { api } = await startApp()

  const loose = await api.get('/v1/pets/export?limit=1')
  assert.deepEqual([loose.status, loose.headers['petstore-ignored']], [200, 'limit'])
  const strict = { headers: { prefer: 'handling=strict' } }
  expectError(await api.get('/v1/pets/export?after=1', strict), 400, 'invalid_parameter')
  expectError(await api.get('/v1/pets/export?sort=name'), 400, 'invalid_parameter')
})

it('503: an export that needs more space than there may be, or a folder that is gone', async () => {
  for (const settings of [
    { PETSTORE_SPOOL_MAX_BYTES: '30' },
    { PETSTORE_SPOOL_DIRECTORY: '/no/such/folder' },
  ]) {
    const { api } = await startApp({ settings })
    await api.createPet({ name: 'Rex' })

    const response = await api.get('/v1/pets/export')

    expectError(response, 503, 'unavailable')
    assert.equal(response.headers['retry-after'], '1')
    assert.equal(response.headers['content-disposition'], undefined)
  }
})

it('every response gives back its temporary file', async () => {
  const { api } = await startApp({ settings: { PETSTORE_SPOOL_MAX_BYTES: '100' } })
  await api.createPet({ name: 'Rex' })
  const { headers } = await api.get('/v1/pets/export')
  const known = { 'if-none-match': headers.etag ?? '' }

  for (let round = 0; round < 5; round++) {
    assert.equal((await api.get('/v1/pets/export')).status, 200)
    assert.equal((await api.send('HEAD', '/v1/pets/export')).status, 200)
    assert.equal((await api.get('/v1/pets/export', { headers: known })).status, 304)
    assert.equal(
      (await api.get('/v1/pets/export', { headers: { range: 'bytes=999-' } })).status,
      416,
    )
  }
})
