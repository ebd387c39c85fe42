import type { FastifyInstance } from 'fastify'
import type { Clock } from '../context/context.ts'
import { withOrigin } from '../db/opening/with-origin.ts'
import type { createTargets } from '../features/webhooks/deliver/targets.ts'
import type { RouteKit } from '../http/route.ts'
import { implementDocument } from '../openapi/get-document.ts'
import { errorCodesOf } from '../openapi/responses.ts'
import { createTestClock, type TestClock } from '../test-bench/clock.ts'
import { createControlKey, implementControls } from '../test-bench/implement-controls.ts'
import { intercept } from '../test-bench/intercept.ts'
import { createMisdeliveries } from '../test-bench/misdeliver.ts'
import { getTestBenchDocumentOperation } from '../test-bench/operations.ts'
import { withSnapshots } from '../test-bench/queries.ts'
import { createTestBench, type TestBenchOptions } from '../test-bench/test-bench.ts'
import { runJobs } from './jobs.ts'
import { contract } from './operations.ts'
import { storage } from './storage.ts'

type Wiring = Pick<TestBenchOptions, 'context' | 'firstId'> &
  Pick<RouteKit, 'queue' | 'shares' | 'takeSlice'> & {
    targets: ReturnType<typeof createTargets>
    baseUrl(): string
    /** Ends the delays of faults, so that a stop does not wait for them. */
    stopping: AbortSignal
  }

const prefix = '/test-bench'

const declaredErrors = new Map(
  contract.map((operation) => [operation.operationId, new Set(errorCodesOf(operation))]),
)

/** What a store in memory needs for its test bench, in the order in which the store is wired. */
export function prepareTestBench({ isStrict }: { isStrict: boolean }) {
  const { storage: withWrites, writes: snapshotWrites } = withSnapshots(storage)
  let testClock: TestClock | undefined

  return {
    storage: withWrites,
    /** Returns a clock that the test controls. */
    control(systemClock: Clock): Clock {
      testClock = createTestClock(systemClock)
      return testClock.now
    },
    /** Adds the bench to the server; it is closed until its key is known. */
    addTo(server: FastifyInstance, wiring: Wiring) {
      if (!testClock) throw new Error('The test bench has no clock.')
      const { context, targets, firstId, baseUrl, stopping, ...sharing } = wiring
      const { db, clock } = context
      const bench = createTestBench({
        clock: testClock,
        snapshotWrites,
        firstId,
        declaredErrors,
        context: { ...context, db: withOrigin(db, { type: 'command', name: 'test bench' }, clock) },
        runJobs: () => runJobs(context),
      })
      intercept(server, { ...bench, declaredErrors, isStrict, now: clock, stopping })
      const root = () => baseUrl().replace(/\/v1$/, prefix)
      const document = implementDocument(getTestBenchDocumentOperation, async () => {
        const { assembleTestBenchDocument } = await import('../test-bench/document.ts')
        return assembleTestBenchDocument(root())
      })
      const key = createControlKey()
      const kit = { prefix, context, keys: key, baseUrlOf: root, ...sharing }
      const controls = implementControls(bench, createMisdeliveries(context, targets))
      for (const { compile } of [document, ...controls]) {
        for (const route of compile(kit)) server.route(route)
      }
      return { fill: bench.fill, openWith: key.openWith }
    },
  }
}
