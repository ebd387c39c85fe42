import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createResolver } from './resolver.ts'

const found = [{ address: '93.184.216.34', family: 4 }]

/** A resolver of a system that answers about names when the test says so, and the names that it is asked about. */
function aResolver(slowMs: number) {
  const asked: string[] = []
  const held: (() => void)[] = []
  const resolve = createResolver((name) => {
    asked.push(name)
    return new Promise((answer) => held.push(() => answer(found)))
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

it('of names that took long, one is looked up at a time, and a new name waits for none of them', async () => {
  const { resolve, asked, answer } = aResolver(0)
  const slow = [1, 2, 3, 4, 5].map((number) => `slow${number}.example`)
  const first = Promise.all(slow.map(resolve))
  answer()
  await first
  asked.length = 0

  const again = Promise.all(slow.map(resolve))
  const other = resolve('other.example')
  assert.deepEqual(asked, ['slow1.example', 'other.example'])
  const answering = setInterval(answer, 1)

  assert.deepEqual(await other, found)
  assert.equal((await again).length, 5)
  clearInterval(answering)
})
