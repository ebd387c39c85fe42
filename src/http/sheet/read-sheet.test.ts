import assert from 'node:assert/strict'
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
    'a quote that never closes',
    'name,categoryId\nRex,7\n"Max,8\n',
    'invalid_body',
    /Line 3 .*never closes/,
  ],
  [
    'a quote inside of a cell',
    'name,categoryId\nRex,7\nM"ax,8\n',
    'invalid_body',
    /Line 3 .*quote inside/,
  ],
  ['text behind a quote', 'name,categoryId\n"Rex" x,7\n', 'invalid_body', /Line 2 .*quote inside/],
  [
    'Latin-1',
    Buffer.from('name,categoryId\nRex,7\nM\xfcsli,8\n', 'latin1'),
    'invalid_body',
    /Line 3 .*not UTF-8/,
  ],
  [
    'a character that is cut off',
    Buffer.from('name,categoryId\nRex\xc3', 'latin1'),
    'invalid_body',
    /Line 2 .*not UTF-8/,
  ],
  ['UTF-16', Buffer.from('\ufeffname,categoryId\nRex,7\n', 'utf16le'), 'invalid_body', /is UTF-16/],
  ['NUL bytes in its header', 'na\0me,categoryId\nRex,7\n', 'invalid_body', /no column for name/],
  ['a zip', 'PK\x03\x04name,categoryId\n', 'invalid_body', /\.xlsx/],
  [
    'a row that is too large',
    `name,categoryId\n${'x'.repeat(70_000)},7\n`,
    'body_too_large',
    /row on line 2/,
  ],
  ['a header that is too large', 'x'.repeat(200_000), 'body_too_large', /row on line 1/],
  [
    'a line of JSON that is too large',
    `{"name":"${'x'.repeat(70_000)}"}`,
    'body_too_large',
    /row on line 1/,
    ndjson,
  ],
  ['blank lines of JSON', '\n\n', 'invalid_body', /no rows/, ndjson],
] as const) {
  it(`${code}: a file with ${title}`, async () => {
    const { api } = await startApp()

    const response = await send(api, file, { headers })

    expectError(response, code === 'body_too_large' ? 413 : 400, code)
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

  const response = await send(api, '[]', { headers: { 'content-type': 'application/json' } })

  expectError(response, 415, 'unsupported_media_type')
  assert.match(response.text, /text\/csv in UTF-8 or application\/x-ndjson/)
})
