import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createResolver } from './resolver.ts'

const found = [{ address: '93.184.216.34', family: 4 }]

/** A resolver of a system that knows all names but `dead…`, and answers when the test says so; the names that it is asked about. */
function aResolver(slowMs: number) {
  const asked: string[] = []
  const held: (() => void)[] = []
  const resolve = createResolver((name) => {
    asked.push(name)
    const isDead = name.startsWith('dead')
    return new Promise((answer, refuse) =>
      held.push(() => (isDead ? refuse(new Error('not found')) : answer(found))),
    )
  }, slowMs)
  return { resolve, asked, answer: () => held.splice(0).map((one) => one()) }
}

it('requests for a name share a lookup; the next one is another', async () => {
  const { resolve, asked, answer } = aResolver(60_000)
  const both = Promise.all(['shop.example', 'shop.example'].map(resolve))

  answer()

  assert.deepEqual(await both, [found, found])
  const next = resolve('shop.example')
  answer()
  assert.deepEqual([await next, asked.length], [found, 2])
})

it('of names that were not found after long, one is looked up at a time, and other names wait for none of them', async () => {
  const { resolve, asked, answer } = aResolver(0)
  const dead = [1, 2, 3, 4, 5].map((number) => `dead${number}.example`)
  const names = [...dead, 'found.example']
  const first = Promise.allSettled(names.map(resolve))
  answer()
  await first
  asked.length = 0

  const again = Promise.allSettled(dead.map(resolve))
  const others = Promise.all(['found.example', 'new.example'].map(resolve))
  await Promise.resolve()
  assert.deepEqual(asked, ['found.example', 'new.example', 'dead1.example'])
  const answering = setInterval(answer, 1)

  assert.deepEqual(await others, [found, found])
  assert.ok((await again).every(({ status }) => status === 'rejected'))
  clearInterval(answering)
})
