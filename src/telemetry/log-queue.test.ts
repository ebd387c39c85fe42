import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { mockTimers } from '../../test/harness/mock-timers.ts'
import { createLogQueue, type Send } from './log-queue.ts'

const line = (number: number, level = 30) =>
  `{"level":${level},"number":${number},"more":"${'x'.repeat(1_000)}"}\n`

/** A reader that takes a write only when the test lets it, or fails it. */
function startQueue(t: TestContext) {
  mockTimers(t.mock, 'setTimeout')
  const taken: string[] = []
  const gone: Error[] = []
  let pending: { text: string; done: Parameters<Send>[1] } | undefined
  const queue = createLogQueue({
    send: (text, done) => {
      assert.equal(pending, undefined, 'one write at a time')
      pending = { text, done }
    },
    droppedLine: (count) => `{"level":40,"droppedLines":${count}}\n`,
    onGone: (error) => gone.push(error),
  })
  function take() {
    const write = pending ?? assert.fail('nothing is being written')
    pending = undefined
    taken.push(write.text)
    write.done()
  }
  return {
    queue,
    gone,
    isWriting: () => pending !== undefined,
    pass: (ms: number) => t.mock.timers.tick(ms),
    take,
    fail(code: string) {
      const write = pending ?? assert.fail('nothing is being written')
      pending = undefined
      write.done(Object.assign(new Error(code), { code }))
    },
    takeAll() {
      while (pending) take()
    },
    lines: () => taken.join('').split('\n').slice(0, -1),
    writes: () => taken.length,
  }
}

it('a reader that stops costs lines, not memory: they are counted, and the count is logged where they are missing', (t) => {
  const { queue, pass, takeAll, lines } = startQueue(t)
  const total = 5_000

  for (let number = 0; number < total; number++) queue.write(line(number))
  takeAll()
  pass(20)
  takeAll()
  queue.write(line(total))
  pass(20)
  takeAll()

  const all = lines().map((text) => JSON.parse(text))
  const gap = all.findIndex(({ droppedLines }) => droppedLines !== undefined)
  const last = all.at(-1)
  assert.ok(gap > 500 && gap < 1_200, `about one MiB is kept; ${gap} lines were`)
  assert.deepEqual(
    all.slice(0, gap).map(({ number }) => number),
    Array.from({ length: gap }, (_, number) => number),
  )
  assert.equal(all[gap].droppedLines, total - gap)
  assert.deepEqual([all.length, last.number], [gap + 2, total])
})

it('warnings and errors find room where lines of requests are dropped', (t) => {
  const { queue, pass, takeAll, lines } = startQueue(t)

  for (let number = 0; number < 5_000; number++) queue.write(line(number))
  queue.write(line(5_001, 40))
  queue.write(line(5_002, 50))
  for (let number = 0; number < 5_000; number++) queue.write(line(number, 50))
  takeAll()
  pass(20)
  takeAll()

  const numbers = lines().map((text) => JSON.parse(text).number)
  assert.ok(numbers.includes(5_001) && numbers.includes(5_002))
  assert.ok(numbers.length < 1_500, 'for them too the room ends')
})

it('a full disk costs lines; they are counted, and writing goes on a second later', (t) => {
  const { queue, pass, takeAll, fail, lines, isWriting } = startQueue(t)

  queue.write(line(1))
  pass(20)
  fail('ENOSPC')
  queue.write(line(2))
  assert.ok(!isWriting(), 'it is not tried again at once')
  pass(1_000)
  fail('ENOSPC')
  pass(1_000)
  takeAll()
  pass(20)
  takeAll()

  assert.deepEqual(lines(), ['{"level":40,"droppedLines":2}'])
})

it('a reader that is gone is told of once, and nothing is kept for it', async (t) => {
  const { queue, pass, fail, gone, isWriting } = startQueue(t)

  queue.write(line(1))
  pass(20)
  for (let number = 0; number < 100; number++) queue.write(line(number))
  fail('EPIPE')
  queue.write(line(2))
  pass(1_000)

  assert.ok(!isWriting())
  assert.equal(queue.takeRest(), '')
  assert.deepEqual(
    gone.map(({ message }) => message),
    ['EPIPE'],
  )
  await queue.close(60_000)
})

it('an end waits for the last lines, and no longer than its limit', async (t) => {
  const { queue, pass, take } = startQueue(t)
  let ends = 0
  const count = () => {
    ends += 1
  }

  queue.write(line(1))
  const closed = queue.close(500).then(count)
  await turn()
  assert.equal(ends, 0)
  take()
  await closed

  queue.write(line(2))
  const late = queue.close(500).then(count)
  await turn()
  assert.equal(ends, 1)
  pass(500)
  await late
})
