import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createLimiter } from './limiter.ts'

it('runs as many at a time as allowed, and the others in the order of arrival', async () => {
  const { run } = createLimiter(2)
  const started: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())

  const done = gates.map(({ promise }, index) =>
    run(async () => {
      started.push(index)
      await promise
      return index
    }),
  )

  assert.deepEqual(started, [0, 1])
  gates[1]?.resolve()
  await done[1]
  assert.deepEqual(started, [0, 1, 2])
  for (const { resolve } of gates) resolve()
  assert.deepEqual(await Promise.all(done), [0, 1, 2, 3])
})

it('unavailable: refuses at once what would wait behind a thousand others', async () => {
  const { run } = createLimiter(1)
  const gate = Promise.withResolvers<void>()
  const done = Array.from({ length: 1_001 }, () => run(() => gate.promise))
  let hasRun = false

  await assert.rejects(
    run(async () => {
      hasRun = true
    }),
    { name: 'Unavailable' },
  )

  gate.resolve()
  await Promise.all(done)
  assert.equal(hasRun, false)
})
