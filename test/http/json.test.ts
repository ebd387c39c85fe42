import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import fc from 'fast-check'
import { expectError, startApp } from '../harness/app.ts'
import type { Answer } from '../harness/contract.ts'
import { amount, cases } from '../harness/extent.ts'

const suite = JSON.parse(
  readFileSync(new URL('./json-test-suite.json', import.meta.url), 'utf8'),
) as {
  cases: Record<string, string>
  repeated: Record<string, [text: string, times: number]>
}

/** The bytes of the cases whose name starts so, alone and as a member of a valid pet. */
function casesOf(prefix: 'n_' | 'y_' | 'i_') {
  const named = Object.entries(suite.cases).filter(([name]) => name.startsWith(prefix))
  return cases(named, { quickEvery: 4 }).map(([name, text]) => ({
    name,
    alone: Buffer.from(text, 'latin1'),
    inPet: Buffer.from(`{"name":"Rex","categoryId":7,"other":${text}}`, 'latin1'),
  }))
}

it('400 invalid_json: what JSONTestSuite says must be rejected, with its position', async () => {
  const { api } = await startApp()

  for (const { name, alone, inPet } of casesOf('n_')) {
    for (const rawBody of [alone, inPet]) {
      const response = await api.send('POST', '/v1/pets', { rawBody })
      expectError(response, 400, 'invalid_json')
      if (rawBody.length > 0) assert.ok(placeIn(response), `${name}: ${response.text}`)
    }
  }

  assert.equal((await api.get('/v1/pets')).text, '[]')
})

it('413: what JSONTestSuite says must be rejected and is too large to be read', async () => {
  const { api } = await startApp()

  for (const [text, times] of Object.values(suite.repeated)) {
    const response = await api.send('POST', '/v1/pets', { rawBody: text.repeat(times) })
    expectError(response, 413, 'body_too_large')
  }
})

it('400 invalid_body, or 201: what JSONTestSuite says must be accepted', async () => {
  const { api } = await startApp()

  for (const { name, alone, inPet } of casesOf('y_')) {
    expectError(await api.send('POST', '/v1/pets', { rawBody: alone }), 400, 'invalid_body')
    const response = await api.send('POST', '/v1/pets', { rawBody: inPet })
    assert.equal(response.status, 201, `${name}: ${response.text}`)
  }
})

it('400, or 201: what JSONTestSuite leaves to the implementation', async () => {
  const { api } = await startApp()

  for (const { name, alone, inPet } of casesOf('i_')) {
    assert.equal((await api.send('POST', '/v1/pets', { rawBody: alone })).status, 400, name)
    const { status } = await api.send('POST', '/v1/pets', { rawBody: inPet })
    assert.ok(status === 400 || status === 201, name)
  }
})

it('400 invalid_json: the message says what is wrong and where', async () => {
  const { api } = await startApp()
  const cases: [body: string | Buffer, message: RegExp][] = [
    ['', /empty/],
    [' \n ', /unexpected end at line 2, column 2\./],
    [
      '{"name": "Rex",}',
      /unexpected "}" at line 1, column 16; expected double-quoted property name; remove the comma/,
    ],
    [
      '{\n  "name": "Rex"\n  "a": 1}',
      /unexpected double quote at line 3, column 3; expected ',' or '}' after/,
    ],
    ['{"name": Rex}', /unexpected "R" at line 1, column 10\./],
    [
      '["\u{1F436}\u{1F436}" "x"]',
      /unexpected double quote at line 1, column 7; expected ',' or ']' after/,
    ],
    [
      '"a\nb"',
      /unexpected "\\n" at line 1, column 3; bad control .*; write a line break in a string as/,
    ],
    ['"C:\\pets"', /unexpected "p" at line 1, column 5; bad escaped character/],
    ['"\\u12g4"', /unexpected "g" at line 1, column 6; bad Unicode escape/],
    ['[1.]', /unexpected "]" at line 1, column 4; unterminated fractional number/],
    ['[007]', /unexpected "0" at line 1, column 3\./],
    ['{"ok": tRue}', /unexpected "R" at line 1, column 9\./],
    [
      '{name: 1}',
      /unexpected "n" at line 1, column 2; expected .*; JSON takes names in double quotes/,
    ],
    ['name=Rex', /unexpected "a" at line 1, column 2; send JSON, not a form/],
    [`{"a": "position 5", "b": ${'['.repeat(20)}x`, /unexpected "x" at line 1, column 46\./],
    [Buffer.from('\ufeff{"name":\n"R\xe9x"}', 'latin1'), /not valid UTF-8 at line 1, column 1/],
    [Buffer.from('{"name":\n"R\xe9x"}', 'latin1'), /not valid UTF-8 at line 2, column 3/],
  ]

  for (const [rawBody, message] of cases) {
    const response = await api.send('POST', '/v1/pets', { rawBody })
    expectError(response, 400, 'invalid_json')
    assert.match(JSON.parse(response.text).message, message)
  }
})

it('400 invalid_json: of a body beyond 4 KiB the message shows what is around an unexpected token', async () => {
  const { api } = await startApp()
  const rawBody = `{"changes": [${'{"id": 1},'.repeat(500)}Rex]}`

  const response = await api.send('POST', '/v1/pets/batch', { rawBody })

  expectError(response, 400, 'invalid_json')
  assert.match(JSON.parse(response.text).message, /Unexpected token 'R', .*"\{"id": 1\},Rex\]\}"/)
})

it('400 invalid_json: the position is the first at which no valid JSON can continue', async () => {
  const { api } = await startApp()
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    removed: fc.nat({ max: 2 }),
    inserted: fc.constantFrom(...' \n\t\r\0"\\{}[]:,-+.eE019tfnulx/\u{1F436}é', '', '\\u12', 'nul'),
  })

  await fc.assert(
    fc.asyncProperty(fc.json(), fc.boolean(), edit, async (json, isIndented, { at, ...edit }) => {
      const whole = isIndented ? JSON.stringify(JSON.parse(json), null, 1) : json
      const start = Math.floor(at * whole.length)
      const text = whole.slice(0, start) + edit.inserted + whole.slice(start + edit.removed)
      if (text.trim() === '' || !text.isWellFormed()) return

      const response = await api.send('POST', '/v1/pets', { rawBody: text })

      assert.equal(response.status, 400)
      const isBroken = complaintAbout(text) !== undefined
      expectError(response, 400, isBroken ? 'invalid_json' : 'invalid_body')
      if (isBroken) assertBreaksAt(text, placeIn(response))
    }),
    { numRuns: amount({ quick: 10, full: 1_500 }) },
  )
})

/** The line and the column that a response names. */
function placeIn({ text }: Answer): { line: number; column: number } | undefined {
  const [, line, column] = /line (\d+), column (\d+)/.exec(text) ?? []
  return line === undefined ? undefined : { line: Number(line), column: Number(column) }
}

/** The message of the engine's own parser, `undefined` when the text is JSON. */
function complaintAbout(text: string): { isOfEnd: boolean; position?: number } | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const { message } = error as SyntaxError
    const position = / at position (\d+)/.exec(message)?.[1]
    if (position === undefined) return { isOfEnd: message.startsWith('Unexpected end') }
    return { isOfEnd: Number(position) === text.length, position: Number(position) }
  }
}

/** The text before the position can continue as JSON; with the character at the position it cannot. */
function assertBreaksAt(text: string, place: ReturnType<typeof placeIn>) {
  assert.ok(place)
  const lines = text.split('\n')
  const lineStart = lines.slice(0, place.line - 1).join('\n').length + (place.line > 1 ? 1 : 0)
  const inLine = [...(lines[place.line - 1] ?? '')].slice(0, place.column - 1).join('').length
  const before = text.slice(0, lineStart + inLine)
  const atPlace = [...text.slice(before.length)].slice(0, 1).join('')
  const where = `${JSON.stringify(text)} at ${JSON.stringify(place)}`

  const complaintBefore = complaintAbout(before)
  assert.ok(complaintBefore === undefined || complaintBefore.isOfEnd, `too late: ${where}`)
  if (atPlace === '') return
  const complaint = complaintAbout(before + atPlace)
  assert.ok(complaint && !complaint.isOfEnd, `too early: ${where}`)
  if (complaint.position !== undefined) assert.equal(complaint.position, before.length, where)
}
