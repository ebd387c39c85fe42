import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPet } from '../harness/app.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'

const requests = [
  ['/pets', aPet({ status: 'available' })],
  ['/categories', { name: 'Dogs' }],
  ['/store/orders', { petId: 1 }],
  ['/store/orders/1/ship', undefined],
  ['/store/orders/1/deliver', undefined],
] as const

it('201: a request from before kill -9 gets the same response after it, and is not done again', async (t) => {
  const env = settingsFor(aDirectory(t))
  await using first = await startService({ env })
  const answers = await sendAll(first)
  const before = await readAll(first)
  await first.kill()

  await using second = await startService({ env })
  const repeated = await sendAll(second)

  for (const { replayed } of answers) assert.equal(replayed, null)
  for (const { replayed } of repeated) assert.equal(replayed, 'true')
  assert.deepEqual(repeated.map(essence), answers.map(essence))
  assert.deepEqual(await readAll(second), before)
})

type Sent = {
  status: number
  text: string
  location: string | undefined
  tag: string | null
  replayed: string | null
}

async function sendAll({ baseUrl, key }: Service): Promise<Sent[]> {
  const answers: Sent[] = []
  for (const [path, body] of requests) {
    const { status, text, headers } = await ask(`${baseUrl}${path}`, key, {
      method: 'POST',
      headers: { 'idempotency-key': '"k"', 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    assert.ok(status < 300, text)
    answers.push({
      status,
      text,
      // Each process listens on a port of its own.
      location: headers.get('location')?.replace(baseUrl, ''),
      tag: headers.get('etag'),
      replayed: headers.get('idempotency-replayed'),
    })
  }
  return answers
}

function essence({ replayed: _replayed, ...rest }: Sent) {
  return rest
}

async function readAll({ baseUrl, key }: Service): Promise<string[]> {
  const texts = []
  for (const path of ['/pets', '/categories', '/inventory', '/store/orders']) {
    texts.push((await ask(`${baseUrl}${path}`, key)).text)
  }
  return texts
}
