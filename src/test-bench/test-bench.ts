import { seedStore } from '../admin/seed/seed-store.ts'
import type { Environment } from '../config/settings.ts'
import type { Context } from '../context/context.ts'
import { ServiceError } from '../contract/service-error.ts'
import type { TestClock } from './clock.ts'
import type { NewTestKey, ResetRequest } from './contract.ts'
import { createFaults, type Faults } from './faults.ts'
import { type Fixture, loadFixture, readFixture } from './fixture.ts'
import { issueKey } from './issue-key.ts'
import { createJournal, type Journal } from './journal.ts'
import type { SnapshotWrites } from './queries.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'

/** The contents that a test store starts with. */
type StartContents = { seedCount?: number | undefined; fixture?: Fixture | undefined }

/** The controls of a store in memory, behind the control interface. */
export type TestBench = {
  clock: TestClock
  snapshots: Snapshots
  faults: Faults
  journal: Journal
  /** Throws `invalid_body`, `not_found`. */
  reset(request: ResetRequest): Promise<void>
  /** Resolves once the scheduled jobs have run at the new time. */
  changeClock(change: {
    nowMs?: number | undefined
    advanceMs?: number
    frozen?: boolean
  }): Promise<void>
  issueKey(request: NewTestKey): Promise<string>
  /** Fills a new store, and remembers the contents for resets. */
  fill(contents: StartContents): Promise<void>
}

/** Not a valid name for clients, so no snapshot of theirs has it. */
const startName = 'at the start'

type TestBenchOptions = {
  context: Context
  clock: TestClock
  environment: Environment
  snapshotWrites: SnapshotWrites
  firstId: bigint | undefined
  errorsOf(operation: string): ReadonlySet<string> | undefined
  /** Runs the scheduled jobs once. */
  runJobs(): Promise<void>
}

/** Creates the controls of a store in memory. */
export function createTestBench({
  context,
  clock,
  environment,
  snapshotWrites,
  firstId,
  errorsOf,
  runJobs,
}: TestBenchOptions): TestBench {
  const snapshots = createSnapshots(context.db, snapshotWrites, firstId)
  const faults = createFaults(errorsOf)
  const journal = createJournal()
  let start: StartContents = {}

  async function fill({ seedCount, fixture }: StartContents) {
    if (seedCount !== undefined) await seedStore(context, { count: seedCount })
    if (fixture) await loadFixture(context, fixture)
  }

  async function refill(contents: StartContents) {
    await snapshots.empty()
    await fill(contents)
  }

  /** The first call fills the store and saves a snapshot, which later calls restore. */
  async function restoreStart() {
    if (snapshots.has(startName)) return snapshots.restore(startName)
    await refill(start)
    await snapshots.save(startName)
  }

  return {
    clock,
    snapshots: {
      ...snapshots,
      names: () => snapshots.names().filter((name) => name !== startName),
    },
    faults,
    journal,
    async reset(request) {
      if (Object.keys(request).length > 1)
        throw new ServiceError('invalid_body', 'A reset takes one of to, snapshot, seed, fixture.')
      const { to, snapshot, seed, fixture } = request
      const read = fixture === undefined ? undefined : readFixture(fixture)
      clock.reset()
      faults.clear()
      if (snapshot !== undefined) await snapshots.restore(snapshot)
      else if (to === 'empty' || seed !== undefined || read)
        await refill({ seedCount: seed, fixture: read })
      else await restoreStart()
      journal.clear()
    },
    async changeClock({ nowMs, advanceMs, frozen }) {
      if (frozen !== undefined) clock.freeze(frozen)
      if (nowMs !== undefined) clock.set(nowMs)
      if (advanceMs !== undefined) clock.advance(advanceMs)
      await runJobs()
    },
    issueKey: (request) => issueKey(context, environment, request),
    async fill(contents) {
      start = contents
      await fill(contents)
    },
  }
}
