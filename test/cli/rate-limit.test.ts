import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet, startApp } from '../harness/app.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { aStore, create, listOf } from './keys-commands.ts'

it('PETSTORE_RATE_LIMIT_PER_SECOND and PETSTORE_RATE_LIMIT_BURST: keys without a limit of their own have this one', async () => {
  const settings = { PETSTORE_RATE_LIMIT_PER_SECOND: '50', PETSTORE_RATE_LIMIT_BURST: '200' }
  const { api } = await startApp({ settings })

  const { headers } = await api.get('/v1/pets')

  assert.equal(headers['ratelimit-policy'], '"key";q=200;w=4')
  assert.equal(headers.ratelimit, '"key";r=199;t=1')
})

it('PETSTORE_SECURITY_CONTACT: security.txt names these contacts; what is no address of one is refused', async () => {
  const name = 'PETSTORE_SECURITY_CONTACT'
  const contacts = 'mailto:a@shop.example,tel:+44-20-7946-0000'
  const { api } = await startApp({ settings: { [name]: contacts } })

  const { text } = await api.get('/.well-known/security.txt', { key: null })

  assert.match(text, /^Contact: mailto:a@shop\.example\nContact: tel:\+44-20-7946-0000\n/)
  for (const refused of ['', 'a@shop.example', 'http://shop.example', `${contacts},`, 'tel:1']) {
    const { code, stderr } = await petstoreInThread(['serve'], { env: { [name]: refused } })
    assert.deepEqual([code, stderr.split(' is ')[0]], [78, name], refused)
  }
  const lines = 'mailto:a@shop.example\nExpires: 2099-01-01T00:00:00Z'
  await assert.rejects(startApp({ settings: { [name]: lines } }), /must be addresses/)
})

it('PETSTORE_IDEMPOTENCY_KEYS_MAX: so many results are stored for a key', async () => {
  const { api } = await startApp({ settings: { PETSTORE_IDEMPOTENCY_KEYS_MAX: '1' } })
  const create = (key: string) =>
    api.post('/v1/pets', aPet(), { headers: { 'idempotency-key': key } })

  const statuses = [(await create('a')).status, (await create('b')).status]

  assert.deepEqual(statuses, [201, 429])
})

it('keys create --rate-limit: a key with a limit of its own', async (t) => {
  const env = await aStore(t)

  await create(env, '--name', 'app', '--rate-limit', '50')
  await create(env, '--name', 'other')

  const limits = (await listOf(env)).map(({ rateLimit }) => rateLimit)
  assert.deepEqual(limits, [50, null])
})

it('keys update --rate-limit --no-rate-limit: another limit, or that of the settings', async (t) => {
  const env = await aStore(t)
  await create(env, '--name', 'app')
  const update = async (...options: string[]) => {
    const { code } = await petstoreInThread(['keys', 'update', '1', ...options], { env })
    return [code, (await listOf(env))[0]?.rateLimit]
  }

  assert.deepEqual(await update('--rate-limit', '1000000'), [0, 1_000_000])
  for (const refused of [
    ['--rate-limit', '0'],
    ['--rate-limit', '1', '--no-rate-limit'],
  ])
    assert.deepEqual(await update(...refused), [64, 1_000_000])
  assert.deepEqual(await update('--no-rate-limit'), [0, null])
})
