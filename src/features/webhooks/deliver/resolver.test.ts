import assert from 'node:assert/strict'
import { it } from 'node:test'
import { until } from '../../../../test/harness/until.ts'
import { createResolver } from './resolver.ts'

const found = [{ address: '93.184.216.34', family: 4 }]

/** A resolver of a system that never answers about names with `slow`, and the names it is asked about. */
function aResolver(maxMs: number) {
  const asked: string[] = []
  const held: (() => void)[] = []
  const resolve = createResolver((name) => {
    asked.push(name)
    const { promise, resolve } = Promise.withResolvers<typeof found>()
    if (name.includes('slow')) held.push(() => resolve(found))
    else resolve(found)
    return promise
  }, maxMs)
  return { resolve, asked, end: () => held.splice(0).map((one) => one()) }
}

const late = /no answer about/

it('a name that answered is looked up although others never answer; each of those is waited for only so long', async () => {
  const { resolve, asked } = aResolver(20)
  assert.deepEqual(await resolve('shop.example'), found)

  const slow = Array.from({ length: 40 }, (_, index) => resolve(`slow${index}.example`))
  const ended = Promise.allSettled(slow)

  assert.deepEqual(await resolve('shop.example'), found)
  for (const outcome of await ended) {
    assert.equal(outcome.status, 'rejected')
    assert.match(String(outcome.reason), late)
  }
  assert.deepEqual(asked, ['shop.example', 'slow0.example', 'slow1.example', 'shop.example'])
})

it('once the system gives up, names that never answered share one lookup, and a new name has another', async () => {
  const { resolve, asked, end } = aResolver(20)
  const ask = (...names: string[]) => Promise.allSettled(names.map(resolve))
  await ask('slow0.example', 'slow1.example')
  end()
  await until(async () => (await ask('shop.example'))[0]?.status === 'fulfilled')
  asked.length = 0

  const again = ask('slow0.example', 'slow1.example')

  assert.deepEqual(await resolve('other.example'), found)
  await again
  assert.deepEqual(asked, ['slow0.example', 'other.example'])
})

it('while a lookup runs, the name is not looked up again, and a further request is refused at once', async () => {
  const { resolve, asked, end } = aResolver(20)
  await assert.rejects(resolve('slow.example'), late)

  await assert.rejects(resolve('slow.example'), late)
  assert.deepEqual(asked, ['slow.example'])

  end()
  await until(async () => {
    await resolve('slow.example').catch(() => undefined)
    return asked.length === 2
  })
})
