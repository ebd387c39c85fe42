import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createClock } from './context.ts'

function aClock(startMs?: number) {
  const time = { wall: 1_000_000, monotonic: 50.25 }
  const told: number[] = []
  const clock = createClock({
    startMs,
    sources: { wall: () => time.wall, monotonic: () => time.monotonic },
    onSetBack: (ms) => told.push(ms),
  })
  clock()
  return { clock, time, told }
}

it('when the time of day is set back, the clock runs on, reports it once, and follows again once it is passed', () => {
  const { clock, time, told } = aClock()

  time.wall -= 600_000
  time.monotonic += 4_000.5
  assert.equal(clock(), 1_004_000)
  time.monotonic += 1
  assert.equal(clock(), 1_004_001)
  assert.deepEqual(told, [604_001])
  time.wall = 1_004_002
  assert.equal(clock(), 1_004_002)
})

it('small corrections by a time service are not reported, and the clock does not go back', () => {
  const { clock, time, told } = aClock()

  time.wall -= 20

  assert.equal(clock(), 1_000_000)
  assert.deepEqual(told, [])
})
