import assert from 'node:assert/strict'
import { it } from 'node:test'
import { systemRandom } from '../../context/context.ts'
import { digestOf, environmentOfKey, hintOf, mintKey } from './key-format.ts'

it('a key names its environment and carries at least 190 bits in base62', () => {
  const live = mintKey('production', systemRandom)
  const test = mintKey('staging', systemRandom)

  assert.match(live, /^pet_live_[0-9A-Za-z]{38}$/)
  assert.match(test, /^pet_test_[0-9A-Za-z]{38}$/)
  assert.ok(32 * Math.log2(62) >= 190)
  assert.equal(environmentOfKey(live), 'production')
  assert.equal(environmentOfKey(test), 'staging')
})

it('random bytes that would make some characters more likely are skipped', () => {
  const bytes = [255, 248, 247]
  const random = (count: number) => new Uint8Array(count).fill(bytes.shift() ?? 0)

  assert.equal(mintKey('staging', random).slice(0, -6), `pet_test_${'z'.repeat(32)}`)
})

it('a mistyped key is told from an unknown key by its checksum', () => {
  const key = mintKey('staging', systemRandom)

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

it('a hint is too short to use as a key; the digest is the SHA-256 of the whole key', () => {
  const key = mintKey('production', systemRandom)

  assert.equal(hintOf(key), `pet_live_…${key.slice(-4)}`)
  assert.equal(
    digestOf('abc').toString('hex'),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
