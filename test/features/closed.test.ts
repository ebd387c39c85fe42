import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { cases } from '../harness/extent.ts'
import { ask, until } from '../processes/command.ts'
import { anyPostgres } from '../processes/postgres.ts'
import { settingsOn } from '../processes/postgres-store.ts'
import { launchService, startService } from '../processes/process.ts'
import { workingCopy } from '../processes/working-copy.ts'
import { toyFeature, toyLine } from './toy-feature.ts'

/** A copy of the source with one more feature: its folder, its migrations and one line. */
function copyWithToys(t: TestContext): string {
  const root = workingCopy()
  t.after(() => rmSync(root, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(toyFeature)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const path = join(root, toyLine.file)
  const list = readFileSync(path, 'utf8')
  assert.equal(list.split(toyLine.before).length, 2, 'the list of features has another form')
  writeFileSync(path, list.replace(toyLine.before, `${toyLine.line}${toyLine.before}`))
  return root
}

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

describe('a feature is its folder, its migrations and one line', { timeout: 240_000 }, () => {
  for (const engine of cases(['PostgreSQL', 'SQLite'], { quickEvery: 2 })) {
    it(`on ${engine}: a list, a read, a write, a check and a job`, async (t) => {
      const root = copyWithToys(t)
      let address = `sqlite:${join(root, 'toys.db')}`
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
      const toys = `${store.baseUrl}/toys`

      const ball = await request(toys, store.key, create('Ball', 'a'))
      const again = await request(toys, store.key, create('Ball', 'a'))
      const broken = await request(toys, store.key, create('Broken', 'b'))
      const nameless = await request(toys, store.key, create('', 'c'))
      const page = await request(`${toys}?limit=1`, store.key)
      const missing = await request(`${toys}/3`, store.key)
      await until(async () => (await request(`${toys}/1`, store.key)).body.isDusty === true)
      const document = await request(`${store.baseUrl}/openapi.json`, store.key)
      const verified = await launchService({ root, args: ['verify'], env }).exited

      assert.equal(ball.status, 201)
      assert.deepEqual(
        { ...ball.body, isDusty: null },
        { id: 1, name: 'Ball', madeBy: 1, isDusty: null },
      )
      assert.deepEqual([again.status, again.body.code], [422, 'idempotency_key_reused'])
      assert.equal(broken.status, 201)
      assert.equal(nameless.status, 400)
      assert.deepEqual(
        page.body.map(({ name }: { name: string }) => name),
        ['Ball'],
      )
      assert.match(page.headers.get('link') ?? '', /cursor=/)
      assert.equal(missing.status, 404)
      assert.deepEqual(Object.keys(document.body.paths['/toys']), ['get', 'post'])
      assert.match(verified.stdout, /^1 finding {2}toys: no toy is broken$/m)
      assert.equal(verified.stdout.match(/finding/g)?.length, 2, verified.stdout)
    })
  }
})
