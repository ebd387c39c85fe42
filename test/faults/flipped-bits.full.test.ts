import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { startApp } from '../harness/app.ts'
import { freshSeed, SeededRandom } from '../harness/seeded-random.ts'
import { aDirectory } from '../processes/command.ts'

const flips = 1_000
const pets = 60
const headerBytes = 100
const recordBytes = 50
const urls = [
  '/v1/pets?limit=100',
  '/v1/pets?sort=-id',
  '/v1/pets?name=rex',
  ...[1, 30, 60].map((id) => `/v1/pets/${id}`),
  '/v1/store/orders',
  '/v1/categories',
]

// `FLIPS_SEED=…` repeats the flips of a run.
it('no response of 200 has a body that is no JSON while bits of the served file are flipped', async (t) => {
  const seed = Number(process.env.FLIPS_SEED ?? freshSeed())
  t.diagnostic(`FLIPS_SEED=${seed}`)
  const random = new SeededRandom(seed)
  const directory = aDirectory(t)
  const path = join(directory, 'petstore.db')
  const settings = { PETSTORE_DATABASE: `sqlite:${path}` }
  const first = await startApp({ settings })
  for (let pet = 1; pet <= pets; pet++)
    await first.api.createPet({ name: `Rex "${pet}" Zoë`, categoryId: pet, status: 'available' })
  await first.api.post('/v1/store/orders', { petId: 1 })
  await first.api.post('/v1/categories', { name: 'Dogs' })
  await first.close()
  const { api } = await startApp({ settings })
  const records = positionsOf(readFileSync(path), '{"id":')
  const fileBytes = readFileSync(path).length
  const file = openSync(path, 'r+')
  t.after(() => closeSync(file))
  const statuses = new Map<number, number>()

  for (let flip = 0; flip < flips; flip++) {
    const record = records[Math.floor(random.between(0, records.length))] as number
    const isInRecord = flip % 2 === 0
    const start = isInRecord ? record : headerBytes
    const end = isInRecord ? record + recordBytes : fileBytes
    const bit = Math.floor(random.between(8 * start, 8 * end))
    flipBit(file, bit)
    // Another connection's commit makes that of the reads read the file again.
    await api.post('/v1/categories', { name: `Kind ${flip}` })
    const responses = await Promise.all(urls.map((url) => api.get(url)))
    flipBit(file, bit)

    for (const { status, text } of responses) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      assert.doesNotThrow(() => JSON.parse(text), `bit ${bit}: ${text}`)
    }
  }
  t.diagnostic(JSON.stringify([...statuses]))
  assert.ok((statuses.get(200) ?? 0) > flips)
})

function positionsOf(bytes: Buffer, text: string): number[] {
  const positions: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) positions.push(at)
  return positions
}

function flipBit(file: number, bit: number) {
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, bit >> 3)
  byte[0] = (byte[0] as number) ^ (1 << (bit & 7))
  writeSync(file, byte, 0, 1, bit >> 3)
}
