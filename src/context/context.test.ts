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

it('a clock follows the time of day, also where it jumps forward', () => {
  const { clock, time, told } = aClock()

  time.wall += 3_600_000
  time.monotonic += 1

  assert.equal(clock(), 4_600_000)
  assert.deepEqual(told, [])
})

it('a clock runs on where the time of day is set back, tells it once, and follows it again once it is past', () => {
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

it('a clock passes over the small corrections of a time service without a word, and without going back', () => {
  const { clock, time, told } = aClock()

  time.wall -= 20

  assert.equal(clock(), 1_000_000)
  assert.deepEqual(told, [])
})

it('a clock that starts at another instant shows that, and runs on from there', () => {
  const { clock, time } = aClock(2_000)

  time.wall += 10
  time.monotonic += 10

  assert.equal(clock(), 2_010)
})
