import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mockTimers } from '../../../test/harness/mock-timers.ts'
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

it('goes on after a job that fails', async () => {
  const { run } = createLimiter(1)

  await assert.rejects(
    run(() => Promise.reject(new Error('failed'))),
    /failed/,
  )

  assert.equal(await run(async () => 'next'), 'next')
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

it('unavailable: refuses a job that has waited too long, and runs the next ones', async (t) => {
  mockTimers(t.mock, 'setTimeout')
  const { run } = createLimiter(1)
  const gate = Promise.withResolvers<void>()
  const first = run(() => gate.promise)
  let hasRun = false
  const second = run(async () => {
    hasRun = true
  })

  t.mock.timers.tick(1_499)
  const third = run(async () => 'third')
  t.mock.timers.tick(1)

  await assert.rejects(second, { name: 'Unavailable' })
  gate.resolve()
  await first
  assert.equal(await third, 'third')
  assert.equal(hasRun, false)
})
