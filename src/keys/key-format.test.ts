import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { it } from 'node:test'
import { digestOf, environmentOfKey, hintOf, mintKey } from './key-format.ts'

it('a key names its environment and carries at least 190 bits in base62', () => {
  const live = mintKey('production', randomBytes)
  const test = mintKey('staging', randomBytes)

  assert.match(live, /^pet_live_[0-9A-Za-z]{38}$/)
  assert.match(test, /^pet_test_[0-9A-Za-z]{38}$/)
  assert.ok(32 * Math.log2(62) >= 190)
  assert.equal(environmentOfKey(live), 'production')
  assert.equal(environmentOfKey(test), 'staging')
})

it('no byte makes some characters likelier than others', () => {
  const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const counts = new Map<string, number>()
  let offset = 0
  const inTurn = (count: number) => {
    const bytes = everyByte.slice(offset, offset + count)
    offset = (offset + count) % 256
    return bytes
  }

  for (let made = 0; made < 62; made++) {
    const secret = mintKey('staging', inTurn).slice('pet_test_'.length, -6)
    for (const character of secret) counts.set(character, (counts.get(character) ?? 0) + 1)
  }

  assert.equal(counts.size, 62)
  assert.ok(Math.max(...counts.values()) - Math.min(...counts.values()) <= 8)
})

it('a typo is told from a key that is not known', () => {
  const key = mintKey('staging', randomBytes)

  for (let index = 'pet_test_'.length; index < key.length; index++) {
    const other = key[index] === 'x' ? 'y' : 'x'
    const mistyped = key.slice(0, index) + other + key.slice(index + 1)
    assert.equal(environmentOfKey(mistyped), undefined, mistyped)
  }
  for (const text of ['', 'pet_test_', `${key} `, key.toLowerCase(), key.slice(0, -1), `${key}0`]) {
    assert.equal(environmentOfKey(text), undefined, text)
  }
  assert.equal(environmentOfKey(key.replace('test', 'live')), undefined)
})

it('a hint is too little to use, a digest the SHA-256 of the whole key', () => {
  const key = mintKey('production', randomBytes)

  assert.equal(hintOf(key), `pet_live_…${key.slice(-4)}`)
  assert.equal(
    digestOf('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
