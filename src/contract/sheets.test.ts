import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../test/harness/any-code-point.ts'
import { defuse, restore, sheetFormats } from './sheets.ts'

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const dangerous = [...signs, '\t', '\r']
/** Where some dialect begins a cell. */
const separators = /[",;|\t\r\n]/
const text = fc
  .array(fc.oneof(fc.constantFrom(...dangerous, "'", '"', ',', ';', '|', '\n'), anyCodePoint))
  .map((parts) => parts.join(''))

it('no cell begins with what a spreadsheet runs, and every text is restored', () => {
  fc.assert(
    fc.property(text, (value) => {
      const cell = defuse(value)
      assert.ok(!dangerous.includes(cell[0] ?? ''), cell)
      const parts = cell.split(separators)
      assert.ok(!parts.some((part) => signs.includes(part[0] ?? '')), cell)
      assert.equal(restore(cell), value)
    }),
  )
})

it('only a text that a spreadsheet would run has an apostrophe more', () => {
  for (const [value, cell] of [
    ['=1+1', "'=1+1"],
    ["'=1+1", "''=1+1"],
    ['-5 °C', "'-5 °C"],
    ["'t Hof", "'t Hof"],
    ['Max = Moritz', 'Max = Moritz'],
    ['a;=1', "a;'=1"],
    ['a; b|c', 'a; b|c'],
    ['', ''],
  ] as const) {
    assert.equal(defuse(value), cell)
    assert.equal(restore(cell), value)
  }
  // What other programs have written is read as it is.
  assert.equal(restore('=1+1'), '=1+1')
})

it('CSV by RFC 4180: quoted where needed, CRLF, an absent member empty, an integer exact', () => {
  const { 'text/csv': csv, 'application/x-ndjson': ndjson } = sheetFormats<{
    id: bigint
    name?: string
  }>(['id', 'name'])
  const rows = [
    { id: 9_007_199_254_740_993n, name: 'Rex, "the" king' },
    { id: -1n, name: 'two\nlines' },
    { id: 2n },
  ]

  assert.equal(
    csv.head + rows.map(csv.lineOf).join(''),
    'id,name\r\n9007199254740993,"Rex, ""the"" king"\r\n-1,"two\nlines"\r\n2,\r\n',
  )
  assert.equal(
    ndjson.head + rows.map(ndjson.lineOf).join(''),
    [
      '{"id":9007199254740993,"name":"Rex, \\"the\\" king"}',
      '{"id":-1,"name":"two\\nlines"}',
      '{"id":2}\n',
    ].join('\n'),
  )
})
