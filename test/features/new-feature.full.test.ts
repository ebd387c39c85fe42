import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ask } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsOn } from '../processes/postgres-store.ts'
import { launchService, startService } from '../processes/process.ts'
import { workingCopy } from '../processes/working-copy.ts'
import { addSuppliers } from './suppliers.ts'

/** Sends a request; the body is parsed as the type that the test expects. */
async function request(url: string, key: string, init: RequestInit = {}) {
  const { status, text, headers } = await ask(url, key, init)
  return { status, headers, body: JSON.parse(text) }
}

const create = (name: string, idempotencyKey: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
  body: JSON.stringify({ name }),
})

describe('the feature of docs/examples/suppliers is its files and its entry', {}, () => {
  for (const engine of ['SQLite', 'PostgreSQL']) {
    it(`on ${engine}: a list, a read, writes, events, and scopes of its own`, async (t) => {
      const root = workingCopy()
      t.after(() => rmSync(root, { recursive: true, force: true }))
      addSuppliers(root)
      let address = `sqlite:${join(root, 'suppliers.db')}`
      if (engine === 'PostgreSQL') {
        const server = await anyPostgres()
        address = await server.createDatabase()
        t.after(async () => {
          await server.dropDatabase(address)
          await server.stop()
        })
      }
      const env = settingsOn(t, address)
      await using store = await startService({ root, env })
      const suppliers = `${store.baseUrl}/suppliers`
      const issued = await launchService({
        root,
        args: ['keys', 'create', '--name', 'reader', '--scope', 'suppliers:read'],
        env,
      }).exited
      const reader = issued.stdout.trim()

      const first = await request(suppliers, store.key, create('Reptiles & Sons', 'a'))
      const again = await request(suppliers, store.key, create('Reptiles & Sons', 'a'))
      const second = await request(suppliers, store.key, create('Reptiles & Sons', 'b'))
      const nameless = await request(suppliers, store.key, create('', 'c'))
      const page = await request(`${suppliers}?limit=1`, reader)
      const one = await request(`${suppliers}/${second.body.id}`, reader)
      const refused = await request(suppliers, reader, create('Birds', 'd'))
      const missing = await request(`${suppliers}/9`, store.key)
      const document = await request(`${store.baseUrl}/openapi.json`, store.key)
      const renamed = await request(`${suppliers}/1`, store.key, {
        ...create('Reptiles', ''),
        method: 'PATCH',
      })
      const events = await request(`${store.baseUrl}/events?type=supplier.updated`, store.key)
      const verified = await launchService({ root, args: ['verify'], env }).exited

      assert.deepEqual([first.status, first.body], [201, { id: 1, name: 'Reptiles & Sons' }])
      assert.deepEqual([again.status, again.body], [201, first.body])
      assert.equal(second.status, 201)
      assert.ok(second.body.id > 1, String(second.body.id))
      assert.equal(nameless.status, 400)
      assert.deepEqual(page.body, [first.body])
      assert.match(page.headers.get('link') ?? '', /cursor=/)
      assert.deepEqual(one.body, second.body)
      assert.deepEqual([refused.status, refused.body.code], [403, 'insufficient_scope'])
      assert.equal(refused.headers.get('petstore-scopes'), 'suppliers:read')
      assert.equal(missing.status, 404)
      assert.deepEqual(Object.keys(document.body.paths['/suppliers']), ['get', 'post'])
      assert.deepEqual(renamed.body, { id: 1, name: 'Reptiles' })
      assert.deepEqual(events.body[0].previous, { name: 'Reptiles & Sons' })
      assert.equal(verified.code, 0, verified.stdout)
    })
  }
})
