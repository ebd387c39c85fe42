import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { primaryMoves } from '../../src/db/postgres/primary.ts'
import { type Opened, sessionMoves } from '../../src/db/postgres/sessions.ts'
import { mockTimers } from '../harness/mock-timers.ts'
import { impossibleMoves, unmadeMoves } from '../harness/moves.ts'
import { until } from '../harness/until.ts'
import { failures, hang, marks, openLate, openTwo, pidOf, role, usePrimaries } from './primaries.ts'

const full = { sqlState: '53300' }
const [unmade, unmadeOfSessions] = [unmadeMoves(primaryMoves), unmadeMoves(sessionMoves)]

describe('a primary and its sessions', () => {
  const { startPool, startPrimary, terminate } = usePrimaries()

  it('a server without free sessions is asked for one at a time, until there is one', async (t) => {
    const { primary, proxy } = await startPrimary(t)
    proxy.cutAt(marks, full, 2)

    const states = []
    for (let opened = 0; opened < 4; opened++) {
      await primary.open()
      states.push(primary.state)
    }

    assert.deepEqual(states, ['trying', 'trying', 'known', 'known'])
    assert.equal(primary.sessions.in('idle').length, 2)
    assert.equal(primary.failure, undefined)
  })

  it('after a session that failed, the others end, and the hosts are asked', async (t) => {
    const { primary, proxy, warnings } = await startPrimary(t)
    await primary.open()
    for (const state of ['known', 'trying']) {
      assert.equal(primary.state, state)
      proxy.cutAt(role, 'unsent', 1)
      await primary.open()
      await until(() => primary.state === 'trying')
    }

    assert.equal(primary.sessions.size, 0)
    assert.ok(primary.failure)
    await primary.open()
    assert.equal(primary.state, 'known')
    assert.deepEqual(warnings, [])
  })

  it('a primary that no host is any more is looked for until one is, with two lines in the log', async (t) => {
    const { primary, proxy, warnings } = await startPrimary(t)
    proxy.cutAt(role, 'unsent', 3)

    await primary.open()
    await until(() => proxy.cuts === 3 && primary.state === 'trying')

    assert.match(warnings[0] ?? '', /^the store has no primary now: .* Requests wait/)
    assert.match(warnings[1] ?? '', /^The primary is \S+ on timeline 1 again, after \d/)
    assert.equal(warnings.length, 2)
  })

  it('a statement that was given up is asked for until the server has ended it', async (t) => {
    const { primary, proxy, use } = await startPrimary(t)
    const hanging = await hang(use)
    primary.takeBack(hanging, failures.broken)
    await until(() => !unmade.has('known found'))
    proxy.cutAt(role, 'unsent', 1)
    await until(() => primary.state === 'trying' && !unmade.has('trying found'))
    proxy.cutAt(role, 'unsent', 1)
    await until(() => !unmade.has('trying missed') && primary.state === 'trying')
    assert.deepEqual(primary.sessions.in('held'), [hanging])

    await terminate(hanging)

    await until(() => primary.sessions.size === 0)
  })

  for (const [move, moment, state] of [
    ['lost opened', undefined, 'known'],
    ['lost full', full, 'lost'],
    ['lost failed', 'unsent', 'trying'],
  ] as const) {
    it(`a session that is on its way while no host is the primary: ${move}`, async (t) => {
      const { primary, proxy, use, pauses } = await startPrimary(t, { isPausing: true })
      const [first, second] = [await hang(use), await hang(use)]
      primary.takeBack(first, failures.broken)
      await until(() => pauses() === 1)
      const { opening } = await openLate(primary, proxy)
      proxy.cutAt(role, 'unsent', 1)
      primary.takeBack(second, failures.broken)
      await until(() => primary.state === 'lost')

      if (moment) proxy.cutAt(marks, moment, 1)
      proxy.thaw()
      await opening

      assert.ok(!unmade.has(move))
      await until(() => primary.state === state)
    })
  }

  it('one that could not be opened says nothing of those that were opened since', async (t) => {
    const { primary, proxy } = await startPrimary(t)
    const { opening } = await openLate(primary, proxy)
    proxy.cutAt(role, 'unsent', 1)
    await primary.open()
    await until(() => primary.state === 'trying')
    await primary.open()

    proxy.thaw()
    await opening

    assert.deepEqual([primary.state, primary.failure], ['known', undefined])
    assert.equal(primary.sessions.in('idle').length, 1)
  })

  it('a server that refuses writes is left at once, also while a statement is waited for that was given up', async (t) => {
    const { primary, use, pauses } = await startPrimary(t, { isPausing: true })
    primary.takeBack(await hang(use), failures.broken)
    const session = await use()
    await until(() => pauses() === 1)

    primary.takeBack(session, failures.readOnly)

    assert.equal(primary.state, 'doubted')
    await until(() => primary.state === 'trying', 20_000)
    assert.equal(primary.sessions.in('held').length, 1)
  })

  it('a stop ends it in each state, and what is found later changes nothing', async (t) => {
    const { primary: known } = await startPrimary(t)
    known.stop()
    for (const cuts of [0, 1]) {
      const { primary: doubted, proxy, use, warnings } = await startPrimary(t)
      const session = await use()
      proxy.cutAt(role, 'unsent', cuts)
      doubted.takeBack(session, failures.readOnly)
      doubted.stop()
      await until(() => !unmade.has(cuts === 0 ? 'stopped found' : 'stopped missed'))
      assert.deepEqual([doubted.state, doubted.sessions.size, warnings.length], ['stopped', 0, 0])
    }
    for (const [state, cuts] of [
      ['trying', 1],
      ['lost', 1_000],
    ] as const) {
      const { primary, proxy } = await startPrimary(t)
      proxy.cutAt(role, 'unsent', cuts)
      await primary.open()
      await until(() => primary.state === state)
      primary.stop()
      assert.equal(primary.state, 'stopped')
    }
  })

  it('work leaves its session to other work, to the server, or to nobody; what broke takes the others along', async (t) => {
    const { primary, use } = await startPrimary(t)
    const bring = {
      used: () => undefined,
      cut: terminate,
      doubted: async (session: Opened) => {
        await terminate(session)
        primary.sessions.doubtAll()
      },
    }
    for (const state of ['used', 'cut', 'doubted'] as const) {
      for (const after of Object.keys(failures) as (keyof typeof failures)[]) {
        await until(() => primary.sessions.size === 0)
        const session = await use()
        await bring[state](session)
        const other = await use()
        assert.equal(session.state, state)

        primary.takeBack(session, failures[after])

        const isKept = state === 'used' && after === 'good'
        assert.equal(session.state, isKept ? 'idle' : after === 'broken' ? 'held' : 'ended')
        const takesAlong = state !== 'doubted' && (after === 'broken' || after === 'readOnly')
        assert.equal(other.state, takesAlong ? 'doubted' : 'used')
        primary.takeBack(other, undefined)
        primary.sessions.doubtAll()
      }
    }
  })

  it('a session is dropped when it is closed, and after ten seconds without work', async (t) => {
    mockTimers(t.mock, 'setTimeout')
    const { primary, use } = await startPrimary(t)
    const [unused, closed, doubted] = [await use(), await use(), await use()]
    for (const session of [unused, closed]) primary.takeBack(session, undefined)

    await terminate(closed)
    assert.equal(closed.state, 'ended')
    t.mock.timers.tick(9_999)
    assert.equal(unused.state, 'idle')
    t.mock.timers.tick(1)
    primary.sessions.doubtAll()
    await terminate(doubted)

    assert.deepEqual([unused.state, doubted.state], ['ended', 'doubted'])
  })

  it('once one has broken in a pool, those that were open beside it are not used again', async (t) => {
    const { proxy, pool } = await startPool(t)
    const pids = await openTwo(pool)
    assert.equal(new Set(pids).size, 2)
    proxy.cutAt(/^select 7$/, 'unsent', 1)

    await assert.rejects(pool.run('reads', async (sql) => sql.all('select 7')))

    assert.ok(!pids.includes(await pool.run('reads', pidOf)))
  })

  it('scans have half of the sessions at most, writes and scans three quarters, and reads the rest', async (t) => {
    mockTimers(t.mock, 'setTimeout')
    const { pool } = await startPool(t)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const begun = { scans: 0, writes: 0, reads: 0 }
    const work: Promise<void>[] = []

    for (const use of ['scans', 'writes', 'reads'] as const) {
      const begin = async () => {
        begun[use] += 1
        await released
      }
      for (let count = 0; count < 16; count++) work.push(pool.run(use, begin))
    }
    await until(() => pool.load().waiting === 48 - 16)

    assert.deepEqual(begun, { scans: 8, writes: 4, reads: 4 })
    release()
    await Promise.all(work)
    assert.deepEqual(begun, { scans: 16, writes: 16, reads: 16 })
  })

  it('each move was made above, and no other is possible', () => {
    assert.deepEqual([...unmade, ...unmadeOfSessions], [])
    assert.deepEqual(impossibleMoves(primaryMoves), {
      doubted: 'opened full failed',
      stopped: 'opened full failed stop',
    })
    assert.deepEqual(impossibleMoves(sessionMoves), {
      opening: 'taken closed good broken readOnly',
      idle: 'opened good broken readOnly',
      used: 'opened taken',
      cut: 'opened taken closed',
      doubted: 'opened taken',
      held: 'opened taken good broken readOnly',
      ended: 'opened ended doubt taken good broken readOnly',
    })
  })
})
