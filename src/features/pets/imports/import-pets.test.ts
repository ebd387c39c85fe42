import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../../test/harness/app.ts'
import { ndjson, petsIn, importFile as send } from '../../../../test/harness/imports.ts'

const problem = (line: number, column: string, detail: string) => ({
  line,
  column,
  code: 'invalid_body',
  detail,
})

const nothingNew = { newCategories: [], ignored: [], problems: [] }
const csvAnswer = { accept: 'text/csv' }

it('200: rows without an id add pets, rows with one change them; what is absent keeps its value', async () => {
  const { api } = await startApp({ now: '2027-01-01T00:00:00Z' })
  await api.createPet({ name: 'Max', categoryId: 3, status: 'available' })
  await api.createPet({ name: 'Tara', categoryId: 4 })

  const response = await send(
    api,
    'id,name,categoryId,status\n,Rex,7,available\n1,,,pending\n2,"Tara, ""old""",9223372036854775807,\n,Bello,-1,\n',
  )

  assert.equal(response.status, 200, response.text)
  assert.deepEqual(response.json(), {
    rows: 4,
    created: 2,
    updated: 2,
    refused: 0,
    ...nothingNew,
    storedAt: '2027-01-01T00:00:00.000Z',
  })
  const { text } = await api.get('/v1/pets')
  assert.equal(
    text,
    '[{"id":1,"name":"Max","categoryId":3,"status":"pending"},{"id":2,"name":"Tara, \\"old\\"","categoryId":9223372036854775807},{"id":3,"name":"Rex","categoryId":7,"status":"available"},{"id":4,"name":"Bello","categoryId":-1}]',
  )
})

for (const [title, file] of [
  ['commas and CRLF', 'name,categoryId\r\nRex,7\r\nMax,8\r\n'],
  ['semicolons, no line end at the end', 'name;categoryId\nRex;7\nMax;8'],
  ['names in another case and with spaces', 'Category ID , NAME\n7,Rex\n8,Max\n'],
  ['empty cells at the end', '"name","categoryId"\n\n"Rex","7",,\n"Max","8"\n\n'],
  ['spaces around numbers', 'name,categoryId\nRex, 7\nMax,8 \n'],
  ['a column error, as it comes back', 'error,name,categoryId\n"is, missing",Rex,7\n,Max,8\n'],
] as const) {
  it(`200: CSV with ${title}`, async () => {
    const { api } = await startApp()

    const { status, text } = await send(api, file)

    assert.equal(status, 200, text)
    assert.match(text, /"ignored":\[\]/)
    assert.deepEqual(await petsIn(api), ['1 Rex 7 -', '2 Max 8 -'])
  })
}

it('200: NDJSON keeps every digit; unknown members are ignored and named', async () => {
  const { api } = await startApp()

  const response = await send(
    api,
    '\ufeff{"name":"Rex","categoryId":9007199254740993,"owner":{"name":"Ann"}}\r\n\n{"NAME":"Max","category_id":8e0}',
    { headers: ndjson },
  )

  assert.equal(response.status, 200, response.text)
  assert.deepEqual((response.json() as { ignored: object }).ignored, [{ column: 'owner' }])
  assert.match((await api.get('/v1/pets')).text, /"categoryId":9007199254740993/)
})

it('200: columns are matched by hand, the others by their names; those ignored are named with the nearest', async () => {
  const { api } = await startApp()

  const named = await send(api, '"Tier, klein",Art,Statsu,status,id\nRex,7,x,sold,9\n', {
    query: `?ignoreIds=true&columns=${encodeURIComponent('Tier, klein:name,Art:categoryId,status:')}`,
  })

  assert.equal(named.status, 200, named.text)
  assert.deepEqual((named.json() as { ignored: object }).ignored, [
    { column: 'Statsu', nearest: 'status' },
    { column: 'status' },
    { column: 'id' },
  ])
  assert.deepEqual(await petsIn(api), ['1 Rex 7 -'])
})

const wrongFile = [
  'id,name,categoryId,status',
  ',,7,available',
  ',Rex,9.00719925474099E+15,avalable',
  '77,Max,,',
  ',Bello,1,sold',
  ',"Two\nlines",x,',
  ',Long,1,,,more',
  ',Stray "quote,1,',
].join('\n')

const wrongRows = [
  problem(2, 'name', 'is missing'),
  problem(
    3,
    'categoryId',
    'must have all its digits; received "9.00719925474099E+15", which a spreadsheet has rounded: format the column as text, and enter the number again',
  ),
  problem(
    3,
    'status',
    'must be available, pending or sold; received "avalable"; did you mean available?',
  ),
  { line: 4, code: 'not_found', detail: 'There is no pet with the id 77.' },
  problem(
    6,
    'name',
    'must be a string of 1 to 1000 characters, at least one of them not white space, none of them a control character or a lone surrogate; received "Two\\nlines"',
  ),
  problem(6, 'categoryId', 'must be an integer; received "x"'),
  {
    line: 8,
    code: 'invalid_body',
    detail: 'has 6 cells, more than the 4 columns of the header',
  },
  {
    line: 9,
    code: 'invalid_body',
    detail:
      'has a quote inside of a cell, or one that never closes. Put a cell with quotes in quotes, and double those that it has',
  },
]

/** The file that comes back: with what is wrong with each row. */
const refusedLines = [
  'error,id,name,categoryId,status',
  'name: is missing,,,7,available',
  '"categoryId: must have all its digits; received ""9.00719925474099E+15"", which a spreadsheet has rounded: format the column as text, and enter the number again; status: must be available, pending or sold; received ""avalable""; did you mean available?",,Rex,9.00719925474099E+15,avalable',
  'There is no pet with the id 77.,77,Max,,',
  ',,Bello,1,sold',
  '"name: must be a string of 1 to 1000 characters, at least one of them not white space, none of them a control character or a lone surrogate; received ""Two\\nlines""; categoryId: must be an integer; received ""x""",,"Two\nlines",x,',
  '"has 6 cells, more than the 4 columns of the header",,Long,1,,,more',
  '"has a quote inside of a cell, or one that never closes. Put a cell with quotes in quotes, and double those that it has",,Stray "quote,1,',
]
const csvOf = (lines: readonly string[]) => lines.map((line) => `${line}\r\n`).join('')

it('422: rows that are wrong refuse the whole file; each is named with its line and column', async () => {
  const { api } = await startApp()

  const response = await send(api, wrongFile)
  const problems = await send(api, wrongFile, { headers: { accept: 'application/problem+json' } })
  const rows = await send(api, wrongFile, { headers: csvAnswer })
  const unknown = await send(api, 'id,name\n77,Max\n')

  expectError(response, 422, 'rows_refused')
  assert.match(unknown.text, /stored: line 2: There is no pet with the id 77\."/)
  assert.match(response.text, /"6 of 7 rows are wrong, .*: line 2, name: is missing; line 3, /)
  assert.deepEqual((problems.json() as { errors: object }).errors, wrongRows)
  assert.deepEqual([rows.status, rows.headers['content-type']], [422, 'text/csv'])
  assert.equal(rows.text, csvOf(refusedLines))
  assert.deepEqual(await petsIn(api), [])
})

it('200: a dry run reports all of it and stores nothing; onError=skip stores the others', async () => {
  const { api } = await startApp({ now: '2027-01-01T00:00:00Z' })
  const report = {
    rows: 7,
    created: 1,
    updated: 0,
    refused: 6,
    ...nothingNew,
    problems: wrongRows,
  }
  const wrongLines = csvOf(refusedLines.toSpliced(4, 1))

  const dry = await send(api, wrongFile, { query: '?dryRun=true' })
  const dryRows = await send(api, wrongFile, { query: '?dryRun=true', headers: csvAnswer })
  assert.deepEqual([dry.status, dry.json()], [200, report])
  assert.deepEqual([dryRows.status, dryRows.text], [200, wrongLines])
  assert.deepEqual(await petsIn(api), [])
  const headers = { 'idempotency-key': 'skipped' }
  const skipped = await send(api, wrongFile, { query: '?onError=skip', headers })
  const rows = await send(api, wrongFile, {
    query: '?onError=skip',
    headers: { ...headers, ...csvAnswer },
  })

  const storedAt = '2027-01-01T00:00:00.000Z'
  assert.deepEqual([skipped.status, skipped.json()], [200, { ...report, storedAt }])
  assert.deepEqual([rows.status, rows.text], [200, wrongLines])
  assert.equal(rows.headers['idempotency-replayed'], 'true')
  assert.deepEqual(await petsIn(api), ['1 Bello 1 sold'])
})

it('200: what came back is repaired, sent again, and comes back as it was sent', async () => {
  const { api } = await startApp()
  const sent = 'sep=;\nName;Category ID\n=1+1;x\nRex;y\n'
  const query = '?onError=skip'

  const first = await send(api, sent, { query, headers: csvAnswer })
  const second = await send(api, first.text.replace('=1+1;x', '=1+1;7'), {
    query,
    headers: csvAnswer,
  })

  const error = (cell: string) => `"categoryId: must be an integer; received ""${cell}"""`
  const named = (cell: string) => error(cell).replace('categoryId', 'Category ID')
  assert.equal(
    first.text,
    `sep=;\nerror;Name;Category ID\r\n${named('x')};=1+1;x\r\n${named('y')};Rex;y\r\n`,
  )
  assert.equal(second.text, `sep=;\nerror;Name;Category ID\r\n${named('y')};Rex;y\r\n`)
  assert.deepEqual(await petsIn(api), ['1 =1+1 7 -'])
})

it('200: rows of JSON come back with a column for each member of a pet; what is no object, as it came', async () => {
  const { api } = await startApp()
  const deep = `{"name":"Rex","owner":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const file = `{"NAME":"=1","owner":{"name":"Ann"}}\n[1]\nnull\n${deep}\n{"id":null,"name":7,"status":{"a":9007199254740993},"categoryId":1.50}\n`

  const { status, text } = await send(api, file, {
    query: '?onError=skip',
    headers: { ...ndjson, ...csvAnswer },
  })

  assert.equal(status, 200)
  assert.deepEqual(text.split('\r\n'), [
    'error,id,name,category,categoryId,status,description,price,currency,bornOn,sex,tags',
    "categoryId: is missing,,'=1,,,,,,,,,",
    'must be a JSON object,[1]',
    'must be a JSON object,null',
    'categoryId: is missing,,Rex,,,,,,,,,',
    '"name: must be a string, not a number; received 7; categoryId: must be an integer; received 1.5; status: must be available, pending or sold; received an object",,7,,1.5,"{""a"":""9007199254740993""}",,,,,,',
    '',
  ])
})

it('422: an update that updatePet refuses refuses the file; nothing of it is stored', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'sold' })
  await api.createPet({ name: 'Max', status: 'available' })
  const before = (await api.get('/v1/events?limit=100')).text
  const file = 'id,name,status,category\n2,Moritz,sold,\n1,,pending,Snails\n,Rex,,Snails\n'

  const response = await send(api, file, {
    query: '?createCategories=true',
    headers: { accept: 'application/problem+json' },
  })

  const detail = 'Pet 1 is sold, from where it can become available, not pending.'
  assert.deepEqual((response.json() as { errors: object }).errors, [
    { line: 3, code: 'invalid_transition', detail },
  ])
  assert.deepEqual(await petsIn(api), ['1 Rex 7 sold', '2 Max 7 available'])
  assert.equal((await api.get('/v1/events?limit=100')).text, before)
  assert.equal((await api.get('/v1/categories')).text, '[]')
})

it('200: each row is an event, made by the key of the import', async () => {
  const { api } = await startApp()
  await api.createPet()

  await send(api, 'id,name,category\n,Tara,Cats\n1,Max,\n', { query: '?createCategories=true' })

  const events = (await api.get('/v1/events?limit=100')).json() as {
    type: string
    actor: { type: string }
  }[]
  assert.deepEqual(
    events.slice(-3).map(({ type, actor }) => `${type} ${actor.type}`),
    ['category.created key', 'pet.updated key', 'pet.created key'],
  )
})

it('403: a key without the scope', async () => {
  const { api, issueKey } = await startApp()

  const response = await send(api, 'name,categoryId\nRex,7\n', {
    key: await issueKey({ scopes: ['pets:read'] }),
  })

  expectError(response, 403, 'insufficient_scope')
})
