import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectError, startApp } from '../../../../test/harness/app.ts'
import {
  afterFirstBatch,
  ndjson,
  petsIn,
  importFile as send,
} from '../../../../test/harness/imports.ts'
import { Unavailable } from '../../../db/errors.ts'

const problem = (line: number, column: string, detail: string) => ({
  line,
  column,
  code: 'invalid_body',
  detail,
})

it('200: rows without an id add pets, rows with one change them; what is absent keeps its value', async () => {
  const { api } = await startApp()
  await api.createPet({ name: 'Max', categoryId: 3, status: 'available' })
  await api.createPet({ name: 'Tara', categoryId: 4 })

  const response = await send(
    api,
    'id,name,categoryId,status\n,Rex,7,available\n1,,,pending\n2,"Tara, ""old""",9223372036854775807,\n,Bello,-1,\n',
  )

  assert.equal(response.status, 200, response.text)
  assert.deepEqual(response.json(), {
    ...{ rows: 4, created: 2, updated: 2, refused: 0 },
    ...{ ignored: [], problems: [] },
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
  ['tabs', 'name\tcategoryId\nRex\t7\nMax\t8\n'],
  ['a byte order mark', '\ufeffname,categoryId\nRex,7\nMax,8\n'],
  ['names in another case and with spaces', 'Category ID , NAME\n7,Rex\n8,Max\n'],
  [
    'quotes, empty lines and empty cells at the end',
    '"name","categoryId"\n\n"Rex","7",,\n"Max","8"\n\n',
  ],
  ['spaces around numbers', 'name,categoryId\nRex, 7\nMax,8 \n'],
] as const) {
  it(`200: CSV with ${title}`, async () => {
    const { api } = await startApp()

    assert.equal((await send(api, file)).status, 200)

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
    detail: 'has 6 cells, more than the 4 columns of the first line',
  },
]

it('422: rows that are wrong refuse the whole file; each is named with its line and column', async () => {
  const { api } = await startApp()

  const response = await send(api, wrongFile)
  const problems = await send(api, wrongFile, { headers: { accept: 'application/problem+json' } })
  const unknown = await send(api, 'id,name\n77,Max\n')

  expectError(response, 422, 'rows_refused')
  assert.match(unknown.text, /stored: line 2: There is no pet with the id 77\."/)
  assert.match(response.text, /"5 of 6 rows are wrong, .*: line 2, name: is missing; line 3, /)
  assert.deepEqual((problems.json() as { errors: object }).errors, wrongRows)
  assert.deepEqual(await petsIn(api), [])
})

it('200: a dry run reports all of it and stores nothing; onError=skip stores the others', async () => {
  const { api } = await startApp()
  const report = {
    ...{ rows: 6, created: 1, updated: 0, refused: 5 },
    ...{ ignored: [], problems: wrongRows },
  }

  const dry = await send(api, wrongFile, { query: '?dryRun=true' })
  assert.deepEqual([dry.status, dry.json()], [200, report])
  assert.deepEqual(await petsIn(api), [])
  const skipped = await send(api, wrongFile, { query: '?onError=skip' })

  assert.deepEqual([skipped.status, skipped.json()], [200, report])
  assert.deepEqual(await petsIn(api), ['1 Bello 1 sold'])
})

it('422: an update that updatePet refuses is tried beforehand, and undone', async () => {
  const { api } = await startApp()
  await api.createPet({ status: 'sold' })
  await api.createPet({ name: 'Max', status: 'available' })
  const before = (await api.get('/v1/events?limit=100')).text

  const response = await send(api, 'id,name,status\n2,Moritz,sold\n1,,pending\n', {
    headers: { accept: 'application/problem+json' },
  })

  assert.deepEqual((response.json() as { errors: object }).errors, [
    {
      line: 3,
      code: 'invalid_transition',
      detail: 'Pet 1 is sold, from where it can become available, not pending.',
    },
  ])
  assert.deepEqual(await petsIn(api), ['1 Rex 7 sold', '2 Max 7 available'])
  assert.equal((await api.get('/v1/events?limit=100')).text, before)
})

it('200: each row is an event, made by the key of the import', async () => {
  const { api } = await startApp()
  await api.createPet()

  await send(api, 'id,name,categoryId\n1,Max,7\n,Tara,4\n')

  const events = JSON.parse((await api.get('/v1/events')).text) as {
    type: string
    actor: { type: string }
  }[]
  assert.deepEqual(
    events.slice(-2).map(({ type, actor }) => `${type} ${actor.type}`),
    ['pet.created key', 'pet.updated key'],
  )
})

it('200: the same request with its Idempotency-Key makes no pet twice, and has the same report', async () => {
  const { api } = await startApp()
  const headers = { 'idempotency-key': 'spring' }
  const file = `name,categoryId\n${'Rex,7\n'.repeat(450)}Max,x\n`
  const query = '?onError=skip'

  const first = await send(api, file, { headers, query })
  const second = await send(api, file, { headers, query })

  assert.equal(first.status, 200, first.text)
  assert.equal(second.text, first.text)
  assert.equal((first.json() as { created: number }).created, 450)
  const count = await api.get('/v1/pets?limit=1', { headers: { prefer: 'count=exact' } })
  assert.equal(count.headers['x-total-count'], '450')
  for (const [other, otherQuery] of [
    [`${file}Tara,4\n`, query],
    [file, '?onError=skip&ignoreIds=true'],
  ] as const) {
    const refused = await send(api, other, { headers, query: otherQuery })
    expectError(refused, 422, 'idempotency_key_reused')
  }
})

it('401: a key that is revoked in the middle ends the import; what is stored stays', async () => {
  const { api, issueKey, revokeKey, context } = await startApp()
  const key = await issueKey({ name: 'importer', scopes: ['pets:write'] })
  const batches = afterFirstBatch(context, () => revokeKey(key))

  const response = await send(api, `name,categoryId\n${'Rex,7\n'.repeat(450)}`, { key })

  expectError(response, 401, 'revoked_api_key')
  assert.equal(batches(), 1)
  assert.equal((await petsIn(api)).length, 100)
})

it('403: a key without the scope', async () => {
  const { api, issueKey } = await startApp()

  const response = await send(api, 'name,categoryId\nRex,7\n', {
    key: await issueKey({ scopes: ['pets:read'] }),
  })

  expectError(response, 403, 'insufficient_scope')
})

it('409: two requests with one Idempotency-Key at once store each row once', async () => {
  const { api, context } = await startApp()
  const file = `name,categoryId\n${'Rex,7\n'.repeat(450)}`
  const headers = { 'idempotency-key': 'twice' }
  let second: Awaited<ReturnType<typeof send>> | undefined
  afterFirstBatch(context, async () => {
    second = await send(api, file, { headers })
  })

  const first = await send(api, file, { headers })

  expectError(first, 409, 'idempotency_key_in_use')
  const { status, text } = second ?? assert.fail()
  assert.equal(status, 200, text)
  assert.equal((await send(api, file, { headers })).text, text)
  const { headers: counted } = await api.get('/v1/pets?limit=1', {
    headers: { prefer: 'count=exact' },
  })
  assert.equal(counted['x-total-count'], '450')
})

it('200: imports at once, with keys of their own and without, store their rows', async () => {
  const { api } = await startApp()
  const names = ['Rex', 'Max', 'Tara']
  const reports = await Promise.all(
    names.map((name, index) =>
      send(api, `name,categoryId\n${`${name},${index}\n`.repeat(250)}`, {
        headers: index === 0 ? {} : { 'idempotency-key': name },
      }),
    ),
  )

  for (const [index, { status, text }] of reports.entries()) {
    assert.equal(status, 200, text)
    assert.match(text, /"created":250/)
    const counted = await api.get(`/v1/pets?categoryId=${index}&limit=1`, {
      headers: { prefer: 'count=exact' },
    })
    assert.equal(counted.headers['x-total-count'], '250')
  }
})

it('503: an import that the database ends early says how far it came, and how to go on', async () => {
  const { api, context } = await startApp()
  const file = `name,categoryId\n${'Rex,7\n'.repeat(450)}`
  const { write } = context.db
  afterFirstBatch(context, async () =>
    Object.assign(context.db, {
      write: () => Promise.reject(new Unavailable('The disk is full.')),
    }),
  )

  const cut = await send(api, file, { headers: { 'idempotency-key': 'full' } })

  expectError(cut, 503, 'unavailable')
  assert.match(cut.text, /rows up to line 101 of the file are stored\. Send the same request with/)
  Object.assign(context.db, { write })
  const again = await send(api, file, { headers: { 'idempotency-key': 'full' } })
  assert.equal((again.json() as { created: number }).created, 450, again.text)
})
