import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { stayAwakeWhile } from './stay-awake.ts'

describe('a thread stays awake', () => {
  it('until what it awaits is there', async (t) => {
    t.after(() => mock.restoreAll())
    mock.method(performance, 'now', () => 0)
    let asked = 0
    stayAwakeWhile(() => ++asked < 5)
    for (let count = 0; count < 10; count++) await turn()

    assert.equal(asked, 5)
  })

  it('for a millisecond at most', async (t) => {
    let nowMs = 1_000
    t.after(() => mock.restoreAll())
    mock.method(performance, 'now', () => nowMs)
    let asked = 0
    let isAwaited = true
    stayAwakeWhile(() => {
      asked += 1
      return isAwaited
    })
    await turn()
    nowMs += 1
    await turn()
    const askedByThen = asked
    for (let count = 0; count < 10; count++) await turn()
    isAwaited = false

    assert.ok(askedByThen > 1)
    assert.equal(asked, askedByThen)
  })

  it('and serves what arrives meanwhile', async (t) => {
    t.after(() => mock.restoreAll())
    mock.method(performance, 'now', () => 0)
    const { promise: served, resolve: serve } = Promise.withResolvers<number>()
    let asked = 0
    let isAwaited = true
    stayAwakeWhile(() => {
      asked += 1
      return isAwaited
    })
    setTimeout(() => serve(asked), 20)

    assert.ok((await served) > 1)
    isAwaited = false
  })
})
