import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createPet } from '../../src/features/pets/create-pet.ts'
import { until } from '../harness/until.ts'
import { startListening } from './start-listening.ts'

/** More than the buffers of a connection take. */
const count = 4_000
const name = '𝒳'.repeat(1_000)
const sizeBytes = count * 4_000

async function startFilled() {
  const settings = { PETSTORE_SPOOL_MAX_BYTES: String(1.5 * sizeBytes) }
  const app = await startListening(settings)
  const pets = Array.from({ length: count }, () => ({ name, categoryId: 1n }))
  await Promise.all(pets.map((pet) => createPet(app.context, pet)))
  const get = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${app.port}/v1/pets/export`, {
      headers: { authorization: `Bearer ${app.key}` },
      ...(signal && { signal }),
    })
  return { ...app, get }
}

it('a download that is cut gives its space back', async () => {
  const { get } = await startFilled()
  const leaving = new AbortController()
  const first = await get(leaving.signal)
  assert.equal(first.status, 200)
  const refused = await get()
  assert.equal(refused.status, 503)
  await refused.text()

  leaving.abort()

  await until(async () => {
    const { status, body } = await get()
    await body?.cancel()
    return status === 200
  })
})

it('a client that leaves while the records are read ends the reading', async () => {
  const { get, context } = await startFilled()
  const { openSpool } = context
  const spools: { sizeBytes(): number }[] = []
  context.openSpool = () => {
    const spool = openSpool()
    spools.push(spool)
    return spool
  }
  const leaving = new AbortController()
  const cut = get(leaving.signal).catch((error) => error.name)
  await until(async () => (spools[0]?.sizeBytes() ?? 0) > 0)

  leaving.abort()

  assert.equal(await cut, 'AbortError')
  const whole = await get()
  assert.equal((await whole.text()).split('\r\n').length, count + 2)
  assert.ok((spools[0]?.sizeBytes() ?? sizeBytes) < sizeBytes)
})
