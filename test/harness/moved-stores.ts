import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { settings } from '../../src/config/settings.ts'
import { aDirectory } from '../processes/command.ts'
import { aPet, startApp } from './app.ts'
import { freshDatabase } from './engine.ts'

/** The addresses of two stores that do not exist yet: a file, and one of this run's engine. */
export async function twoPlaces(t: TestContext): Promise<{ file: string; other: string }> {
  const directory = aDirectory(t)
  const { address, giveBack } = await freshDatabase()
  t.after(giveBack)
  const isFile = address === 'sqlite::memory:'
  return {
    file: `sqlite:${join(directory, 'file.db')}`,
    other: isFile ? `sqlite:${join(directory, 'other.db')}` : address,
  }
}

export const at = (address: string) => settings.database.read(address)
/** Serves a store of staging in this process, on a file too. */
export const serve = (address: string) => startApp({ settings: { PETSTORE_DATABASE: address } })
const idempotent = { headers: { 'idempotency-key': 'order-1' } }

/** A store with one order, whose last pet was deleted. */
export async function sell(address: string) {
  const app = await serve(address)
  const { api, key } = app
  const pet = await api.createPet({ status: 'available' })
  const { text } = await api.post('/v1/store/orders', { petId: pet.id }, idempotent)
  await api.post('/v1/categories', { name: 'Dogs' })
  const last = await api.createPet()
  await api.send('DELETE', `/v1/pets/${last.id}`)
  const replaced = await app.issueKey({ name: 'rotated', scopes: ['pets:read'] })
  await api.get('/v1/pets', { key: replaced })
  const { key: successor, ...rotated } = await rotate(app)
  await app.close()
  return { key, petId: pet.id, order: text, lastId: last.id, replaced, successor, rotated }
}

/** Rotates the key 2, with the default overlap. */
async function rotate({ api }: Awaited<ReturnType<typeof serve>>) {
  return (await api.post('/v1/keys/2/rotate', {})).json() as { key: string; previousEndsAt: string }
}

type Sold = Awaited<ReturnType<typeof sell>>

/** A store with these contents is served. */
export async function expectServed(address: string, sold: Sold) {
  const { key, petId, order, lastId, replaced, successor, rotated } = sold
  const app = await serve(address)
  const ordering = () => app.api.post('/v1/store/orders', { petId }, { key, ...idempotent })
  assert.equal((await ordering()).text, order, 'a repeated order is replayed')
  const next = await app.api.post('/v1/pets', aPet(), { key })
  assert.ok((next.json() as { id: number }).id > lastId, 'no id is assigned again')
  const categories = await app.api.get('/v1/categories', { key })
  assert.match(categories.text, /"Dogs"/)
  const { lastUsedAt, ...known } = (await app.api.get('/v1/keys/2')).json() as {
    lastUsedAt: string
  }
  assert.deepEqual(known, rotated)
  assert.match(lastUsedAt, /^2027-01-0[12]T/)
  for (const one of [replaced, successor])
    assert.equal((await app.api.get('/v1/pets', { key: one })).status, 200)
  app.clock.ms = Date.parse(rotated.previousEndsAt)
  assert.equal((await app.api.get('/v1/pets', { key: replaced })).status, 401)
  assert.equal((await app.api.get('/v1/pets', { key: successor })).status, 200)
  await app.close()
}

export const isRefused = (pattern: RegExp) => ({ name: 'OpenError', message: pattern })
