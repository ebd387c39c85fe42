import type { FastifyInstance } from 'fastify'
import { withOrigin } from '../db/with-origin.ts'
import type { createTargets } from '../features/webhooks/deliver/targets.ts'
import { implementDocument } from '../openapi/get-document.ts'
import { errorCodesOf } from '../openapi/responses.ts'
import { createTestClock } from '../test-bench/clock.ts'
import { assembleTestBenchDocument } from '../test-bench/document.ts'
import { createControlKey, implementControls } from '../test-bench/implement-controls.ts'
import { intercept } from '../test-bench/intercept.ts'
import { createMisdeliveries } from '../test-bench/misdeliver.ts'
import { getTestBenchDocumentOperation } from '../test-bench/operations.ts'
import { withSnapshots } from '../test-bench/queries.ts'
import { createTestBench, type TestBenchOptions } from '../test-bench/test-bench.ts'
import { runJobs } from './jobs.ts'
import { contract } from './operations.ts'

export { createTestClock, withSnapshots }

type Wiring = Omit<TestBenchOptions, 'declaredErrors' | 'runJobs'> & {
  targets: ReturnType<typeof createTargets>
  isStrict: boolean
  baseUrl(): string
  /** Ends the delays of faults, so that a stop does not wait for them. */
  stopping: AbortSignal
}

const prefix = '/test-bench'

const declaredErrors = new Map(
  contract.map((operation) => [operation.operationId, new Set(errorCodesOf(operation))]),
)

/** Adds the test bench to the server of a store in memory; it is closed until its key is known. */
export function addTestBench(
  server: FastifyInstance,
  { context, targets, isStrict, baseUrl, stopping, ...options }: Wiring,
) {
  const { db, clock } = context
  const bench = createTestBench({
    ...options,
    context: { ...context, db: withOrigin(db, { type: 'command', name: 'test bench' }, clock) },
    declaredErrors,
    runJobs: () => runJobs(context),
  })
  intercept(server, { ...bench, declaredErrors, isStrict, now: clock, stopping })
  const root = () => baseUrl().replace(/\/v1$/, prefix)
  const document = implementDocument(getTestBenchDocumentOperation, () =>
    assembleTestBenchDocument(root()),
  )
  const key = createControlKey()
  const kit = { prefix, context, keys: key, baseUrlOf: root }
  const controls = implementControls(bench, createMisdeliveries(context, targets))
  for (const { compile } of [document, ...controls]) {
    for (const route of compile(kit)) server.route(route)
  }
  return { fill: bench.fill, openWith: key.openWith }
}
