import type { ServiceContext } from '../context/context.ts'
import { parseInstant } from '../contract/instant.ts'
import { ServiceError } from '../contract/service-error.ts'
import { createMutex } from '../db/batching/mutex.ts'
import { isoOf } from '../db/records/instants.ts'
import { issueKey } from '../features/keys/create-key.ts'
import { mintKey } from '../features/keys/key-format.ts'
import { revokeKey } from '../features/keys/revoke-key.ts'
import type { NewWebhook } from '../features/webhooks/contract/webhooks.ts'
import { createWebhook } from '../features/webhooks/create-webhook.ts'
import { secretBytes } from '../features/webhooks/deliver/sign.ts'
import { allowSending } from '../features/webhooks/resume-webhooks.ts'
import type { TestClock } from './clock.ts'
import type { ClockChange, NewTestKey, ResetRequest } from './contract.ts'
import { createFaults, type DeclaredErrors } from './faults.ts'
import { type Fixture, loadFixture, readFixture } from './fixture.ts'
import { createJournal } from './journal.ts'
import type { SnapshotWrites } from './queries.ts'
import { createSnapshots } from './snapshots.ts'

/** The contents that a test store starts with. */
type StartContents = { seedCount?: number | undefined; fixture?: Fixture | undefined }

/** Not valid names for clients, so no snapshot of theirs has them. */
const startName = 'at the start'
const undoName = 'before a fixture'

/** The clock stays before it, so that every instant has a year of four digits, also those that follow. */
const clockEnd = '9999-01-01T00:00:00Z'
const clockEndMs = Date.parse(clockEnd)

export type TestBenchOptions = {
  context: ServiceContext
  clock: TestClock
  snapshotWrites: SnapshotWrites
  firstId: bigint | undefined
  declaredErrors: DeclaredErrors
  /** Runs the scheduled jobs once. */
  runJobs(): Promise<void>
}

export type TestBench = ReturnType<typeof createTestBench>

/** Creates the controls of a store in memory, behind the control interface. */
export function createTestBench(options: TestBenchOptions) {
  const { context, clock, snapshotWrites, firstId, declaredErrors, runJobs } = options
  const snapshots = createSnapshots(context.db, snapshotWrites, firstId)
  const faults = createFaults(declaredErrors)
  const journal = createJournal()
  const inTurn = createMutex()
  let start: StartContents = {}
  /** The webhooks that each reset adds again. */
  let kept: [NewWebhook, secret: Uint8Array][] = []

  async function fill({ seedCount, fixture }: StartContents) {
    if (seedCount !== undefined) {
      const { seedStore } = await import('../admin/seed/seed-store.ts')
      await seedStore(context, { count: seedCount })
    }
    if (fixture) await loadFixture(context, fixture)
  }

  async function refill(contents: StartContents) {
    await snapshots.empty()
    await fill(contents)
    for (const webhook of kept) await createWebhook(context, ...webhook)
  }

  /** Restores a snapshot; its webhooks get the events from now on. */
  async function restore(name: string) {
    await snapshots.restore(name)
    await context.db.write(allowSending, context.clock())
  }

  async function keepWebhook(request: NewWebhook) {
    const secret = context.random(secretBytes)
    const issued = await createWebhook(context, request, secret)
    kept = [...kept, [request, secret]]
    if (snapshots.has(startName)) await snapshots.drop(startName)
    return issued
  }

  /** Replaces the contents by a fixture. One that is refused changes nothing. */
  async function refillWith(fixture: Fixture) {
    await snapshots.save(undoName)
    try {
      await refill({ fixture })
    } catch (error) {
      await restore(undoName)
      throw error
    } finally {
      await snapshots.drop(undoName)
    }
  }

  /** The first call fills the store and saves a snapshot. */
  async function restoreStart() {
    if (!snapshots.has(startName)) {
      await refill(start)
      await snapshots.save(startName)
    }
    await restore(startName)
  }

  const listSnapshots = () =>
    snapshots.names().filter((name) => name !== startName && name !== undoName)

  async function reset(request: ResetRequest) {
    if (Object.keys(request).length > 1)
      throw new ServiceError('invalid_body', 'A reset takes one of to, snapshot, seed, fixture.')
    const { to, snapshot, seed, fixture } = request
    const read = fixture === undefined ? undefined : readFixture(fixture)
    if (snapshot !== undefined) snapshots.require(snapshot)
    // The times of the new contents are those of the clock without changes.
    const undoClock = clock.reset()
    try {
      if (snapshot !== undefined) await restore(snapshot)
      else if (read) await refillWith(read)
      else if (to === 'empty' || seed !== undefined) await refill({ seedCount: seed })
      else await restoreStart()
    } catch (error) {
      undoClock()
      throw error
    }
    faults.clear()
    journal.clear()
  }

  async function changeClock({ now, advanceMs = 0, frozen }: ClockChange) {
    const nowMs = now === undefined ? undefined : parseInstant(now)
    if ((nowMs ?? clock.now()) + advanceMs >= clockEndMs)
      throw new ServiceError('invalid_body', `The clock must stay before ${clockEnd}.`)
    if (frozen !== undefined) clock.freeze(frozen)
    if (nowMs !== undefined) clock.set(nowMs)
    clock.advance(advanceMs)
    await runJobs()
  }

  /** Issues a key: valid, expired, revoked, or one of the other environment, which this store does not know. */
  async function issueTestKey(request: NewTestKey) {
    const { environment = context.environment, expired, validMs } = request
    if (environment !== context.environment) return mintKey(environment, context.random)
    const now = context.clock()
    const { key, stored } = await issueKey(context, {
      name: 'test bench',
      scopes: request.scopes ?? ['default'],
      expiresAt: isoOf(expired ? now : validMs === undefined ? undefined : now + validMs),
      rateLimit: request.rateLimit,
    })
    if (request.revoked) await revokeKey(context, stored.id)
    return key
  }

  return {
    clock,
    faults,
    journal,
    listSnapshots,
    saveSnapshot: (name: string) => inTurn(() => snapshots.save(name)),
    deleteSnapshot: (name: string) => inTurn(() => snapshots.drop(name)),
    /** Adds a webhook that each reset adds again, with its secret. Throws `invalid_body`, `too_many_webhooks`. */
    keepWebhook: (request: NewWebhook) => inTurn(() => keepWebhook(request)),
    /** Throws `invalid_body`, `not_found`. */
    reset: (request: ResetRequest) => inTurn(() => reset(request)),
    /** Resolves once the scheduled jobs have run at the new time. Throws `invalid_body`. */
    changeClock: (change: ClockChange) => inTurn(() => changeClock(change)),
    issueTestKey,
    /** Fills a new store, and remembers the contents for resets. */
    async fill(contents: StartContents) {
      start = contents
      await fill(contents)
    },
  }
}
