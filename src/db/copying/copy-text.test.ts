import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { anyCodePoint } from '../../../test/harness/any-code-point.ts'
import { decodeLines, encodeRow } from './copy-text.ts'

const types = ['bigint', 'text', 'bytes', 'text'] as const

it('a row is one line of the text format of COPY', () => {
  const line = encodeRow([-(2n ** 63n), 'a\\N\tb\nc\r\b\f\v', Buffer.from([0, 255]), null])

  assert.equal(line, '-9223372036854775808\ta\\\\N\\tb\\nc\\r\\b\\f\\v\t\\\\x00ff\t\\N\n')
})

it('rows are decoded as they were encoded, whatever their texts, bytes and integers', () => {
  const text = fc.array(fc.oneof(anyCodePoint, fc.constantFrom('\\', 'N', 'n', '\n', '\t', '\x01')))
  const row = fc.tuple(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    text.map((parts) => parts.join('')),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fc.option(fc.constantFrom('\\N', '', 'N')),
  )

  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const lines = Buffer.from(rows.map((values) => encodeRow(values)).join(''))

      assert.deepEqual(decodeLines(lines, types), rows)
    }),
  )
})
