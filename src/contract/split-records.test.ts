import assert from 'node:assert/strict'
import { it } from 'node:test'
import { splitRecords } from './split-records.ts'

for (const [text, rows] of [
  [
    '\ufeffsep=;\r\na;"b\r\nc"\r\n\r\n1;"2\n""3"""\r"x";\r\n"open;\nlast;"y"',
    ['5 1;"2\n""3"""', '7 "x";', '8 "open;', '9 last;"y"'],
  ],
  [' , \n"",\nname\tkind\r\ra\tb\rc\n\t', ['5 a\tb', '6 c']],
  ['{"a":1}\r\n\n {"b":"\\n"}\r[1,2]', ['1 {"a":1}', '3 {"b":"\\n"}', '4 [1,2]']],
  [' [{"a":"]},{"},\n\n  [1,[2]] , "x\\"," ,]\n', ['1 {"a":"]},{"}', '3 [1,[2]]', '3 "x\\","']],
  ['[{"a":1}\n, {"b":1}', ['1 {"a":1}', '2 [{"b":1}']],
  ['[{"a":1}] x', ['1 [{"a":1}] x']],
  ['[', ['1 [']],
] as const) {
  it(`records and their lines: ${JSON.stringify(text)}`, () => {
    const found = splitRecords(text).rows

    assert.deepEqual(
      found.map((row) => `${row.line} ${row.text}`),
      rows,
    )
    for (const { at, text: row } of found) assert.ok(`[${text.slice(at)}`.includes(row))
  })
}
