import assert from 'node:assert/strict'
import { it } from 'node:test'
import { crc32 } from 'node:zlib'
import { decodeCursor, encodeCursor } from './cursor.ts'

const int64Max = 2n ** 63n - 1n

/** The same position, as another version of the program would have written it. */
function ofVersion(version: number, cursor: string, list: string): string {
  const bytes = Buffer.from(cursor, 'base64url')
  bytes.writeUInt8(version, 0)
  bytes.writeUInt32BE(crc32(list, crc32(bytes.subarray(0, 9))), 9)
  return bytes.toString('base64url')
}

it('keeps every digit of an id', () => {
  for (const id of [1n, 2n ** 53n + 1n, int64Max, -int64Max - 1n]) {
    assert.equal(decodeCursor(encodeCursor(id, 'pets'), 'pets'), id)
  }
})

it('refuses an intact cursor of another version', () => {
  const cursor = encodeCursor(7n, 'pets')

  assert.equal(decodeCursor(ofVersion(1, cursor, 'pets'), 'pets'), 7n)
  for (const version of [0, 2, 255]) {
    assert.equal(decodeCursor(ofVersion(version, cursor, 'pets'), 'pets'), undefined)
  }
})

it('refuses a cursor of another list, and one with any character changed', () => {
  const cursor = encodeCursor(7n, 'pets')

  assert.equal(decodeCursor(cursor, 'orders'), undefined)
  for (const [index, character] of [...cursor].entries()) {
    const other = character === 'A' ? 'B' : 'A'
    const changed = cursor.slice(0, index) + other + cursor.slice(index + 1)
    assert.equal(decodeCursor(changed, 'pets'), undefined, changed)
  }
})
