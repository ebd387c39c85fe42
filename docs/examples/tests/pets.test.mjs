// Run: node --test pets.test.mjs
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { after, afterEach, before, test } from 'node:test'

const args = ['serve', '--ephemeral', '--port', '0', '--json', '--until-stdin-ends']
let child
let store

before(async () => {
  child = spawn('bin/petstore', args, { stdio: ['pipe', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) {
    store = JSON.parse(line)
    break
  }
  assert.ok(store, 'The store did not start.')
})

afterEach(() =>
  fetch(store.baseUrl.replace('/v1', '/test-bench/reset'), {
    method: 'POST',
    headers: { authorization: `Bearer ${store.key}` },
  }),
)

after(async () => {
  if (child.exitCode !== null) return
  child.stdin.end()
  await once(child, 'exit')
})

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${store.key}` }
  if (body) headers['content-type'] = 'application/json'
  const response = await fetch(store.baseUrl + path, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  assert.ok(response.ok, `${method} ${path}: ${response.status}`)
  return await response.json()
}

test('a created pet is listed', async () => {
  const { id: categoryId } = await call('POST', '/categories', { name: 'Cats' })
  const created = await call('POST', '/pets', { name: 'Sunny, cream Maine Coon', categoryId })

  assert.deepEqual(await call('GET', '/pets'), [created])
})

test('another test begins with an empty store', async () => {
  const { id: categoryId } = await call('POST', '/categories', { name: 'Cats' })
  const created = await call('POST', '/pets', { name: 'Percy, brown Birman', categoryId })

  assert.equal(created.id, 1)
})
