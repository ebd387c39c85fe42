import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { it } from 'node:test'
import { expectError, startApp } from '../../../test/harness/app.ts'
import { csv, ndjson, petsIn, importFile as send } from '../../../test/harness/imports.ts'

for (const [title, file, code, message, headers = csv] of [
  ['nothing', '', 'invalid_body', /no rows/],
  ['only a header', 'name,categoryId\n', 'invalid_body', /no rows/],
  [
    'a column twice',
    'name,categoryId,Name\nRex,7,Max\n',
    'invalid_body',
    /two columns for name, \\"name\\" and \\"Name\\"/,
  ],
  [
    'no column for the name',
    'Nmae,categoryId\nRex,7\n',
    'invalid_body',
    /no column for name.*Is it \\"Nmae\\"/,
  ],
  [
    'Latin-1',
    Buffer.from('name,categoryId\nRex,7\nM\xfcsli,8\n', 'latin1'),
    'invalid_body',
    /not UTF-8 at line 3/,
  ],
  [
    'a character that is cut off',
    Buffer.from('name,categoryId\nRex\xc3', 'latin1'),
    'invalid_body',
    /not UTF-8 at line 2/,
  ],
  ['UTF-16', Buffer.from('\ufeffname,categoryId\nRex,7\n', 'utf16le'), 'invalid_body', /is UTF-16/],
  ['NUL bytes in its header', 'na\0me,categoryId\nRex,7\n', 'invalid_body', /no column for name/],
  ['a zip', 'PK\x03\x04name,categoryId\n', 'invalid_body', /\.xlsx/],
  ['a header that is too long', 'x'.repeat(200_000), 'invalid_body', /header that is longer/],
  ['blank lines of JSON', '\n\n', 'invalid_body', /no rows/, ndjson],
] as const) {
  it(`${code}: a file with ${title}`, async () => {
    const { api } = await startApp()

    const response = await send(api, file, { headers })

    expectError(response, 400, code)
    assert.match(response.text, message)
    assert.deepEqual(await petsIn(api), [])
  })
}

it('422: lines that are no JSON, no object, or name a member twice', async () => {
  const { api } = await startApp()
  const headers = { ...ndjson, accept: 'application/problem+json' }

  const response = await send(
    api,
    '{"name":}\n[1]\n{"name":"a","Name":"b"}\n{"name":1,"categoryId":"7"}\n',
    { headers },
  )

  assert.equal(response.status, 422, response.text)
  const { errors } = response.json() as { errors: { line: number; code: string; detail: string }[] }
  assert.deepEqual(
    errors.map(({ line, code }) => `${line} ${code}`),
    ['1 invalid_json', '2 invalid_body', '3 invalid_body', '4 invalid_body', '4 invalid_body'],
  )
  assert.match(
    errors.map(({ detail }) => detail).join('\n'),
    /is not JSON: unexpected "}" at line 1, column 9[\s\S]*must be a number, not a string/,
  )
})

it('422: of a row of JSON beyond 256 characters the message shows what is around an unexpected token', async () => {
  const { api } = await startApp()

  const response = await send(api, `{"name":"${'a'.repeat(256)}","categoryId":x}\n`, {
    headers: ndjson,
  })

  expectError(response, 422, 'rows_refused')
  assert.match(
    JSON.parse(response.text).message,
    /is not JSON: Unexpected token 'x', .*tegoryId":x\}/,
  )
})

it('422: NUL bytes in a row', async () => {
  const { api } = await startApp()

  const response = await send(api, 'name,categoryId\nR\0ex,7\nMax,\0\n')

  expectError(response, 422, 'rows_refused')
  assert.match(response.text, /2 of 2 rows are wrong.*R\\\\u0000ex.*must be an integer/)
  assert.deepEqual(await petsIn(api), [])
})

it('400: columns that name no member', async () => {
  const { api } = await startApp()

  const response = await send(api, 'a,b\n1,2\n', { query: '?columns=a:name,b:catgoryId' })

  expectError(response, 400, 'invalid_parameter')
  assert.match(response.text, /b:catgoryId.*did you mean categoryId\?/)
})

it('200: the apostrophe that keeps a spreadsheet from running a cell is taken away again', async () => {
  const { api } = await startApp()

  await send(api, "name,categoryId\n'=1+1,-7\n''@x,1\n'tis,2\n")

  assert.deepEqual(await petsIn(api), ['1 =1+1 -7 -', "2 '@x 1 -", "3 'tis 2 -"])
})

it('415: another media type', async () => {
  const { api } = await startApp()

  const response = await send(api, '[]', { headers: { 'content-type': 'application/xml' } })

  expectError(response, 415, 'unsupported_media_type')
  assert.match(
    response.text,
    /text\/csv in UTF-8 or application\/x-ndjson in UTF-8 or application\/json in UTF-8/,
  )
})

const folder = new URL('../../../test/imported-files/', import.meta.url)
const typeOf = (file: string) =>
  file.endsWith('.json')
    ? 'application/json'
    : file.endsWith('.jsonl')
      ? ndjson['content-type']
      : 'text/csv'

for (const file of readdirSync(folder)) {
  it(`200: ${file} is read, with its media type and without one`, async () => {
    const { api } = await startApp()
    for (const name of ['Cats', 'Dogs']) await api.post('/v1/categories', { name })
    const rawBody = readFileSync(new URL(file, folder))
    const pets = ['Rex 2 available', 'Tara, "old" 1 sold', 'Zoë 12 -']

    for (const headers of [{ 'content-type': typeOf(file) }, {}]) {
      const url = '/v1/pets/import?ignoreIds=true'
      const { status, text } = await api.send('POST', url, { rawBody, headers })
      assert.equal(status, 200, text)
    }

    assert.deepEqual(
      await petsIn(api),
      [...pets, ...pets].map((pet, index) => `${index + 1} ${pet}`),
    )
  })
}

it('422: a row with a stray quote is one bad row, and so is each that is cut off', async () => {
  const { api } = await startApp()
  const headers = { accept: 'application/problem+json' }
  const linesOf = async (rawBody: string, sent = {}) => {
    const response = await api.send('POST', '/v1/pets/import', {
      rawBody,
      headers: { ...headers, ...sent },
    })
    assert.equal(response.status, 422, response.text)
    return (response.json() as { errors: { line: number }[] }).errors.map(({ line }) => line)
  }

  const csvLines = await linesOf(
    'name,categoryId,notes\nA,1,"x\ny"\nM"ax,8\n"Rex" x,7\n"Open,1\nTara,"2"\n"Never,3\nEnds,4',
  )
  const arrayLines = await linesOf('[{"name":"A","categoryId":1},\n{"name":}, {"name":"B"')

  assert.deepEqual(csvLines, [4, 5, 6, 8])
  assert.deepEqual(arrayLines, [2, 2])
  assert.deepEqual(await petsIn(api), [])
})
