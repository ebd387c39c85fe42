import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import type { Context } from '../context/context.ts'
import { withOrigin } from '../db/with-origin.ts'
import { digestOf } from '../features/keys/key-format.ts'
import type { createTargets } from '../features/webhooks/deliver/targets.ts'
import { implementDocument } from '../openapi/get-document.ts'
import { errorCodesOf } from '../openapi/responses.ts'
import { createTestClock, type TestClock } from '../test-bench/clock.ts'
import { assembleTestBenchDocument } from '../test-bench/document.ts'
import {
  type ControlKey,
  controlKeys,
  implementControls,
} from '../test-bench/implement-controls.ts'
import { intercept } from '../test-bench/intercept.ts'
import { createMisdeliveries } from '../test-bench/misdeliver.ts'
import { getTestBenchDocumentOperation } from '../test-bench/operations.ts'
import { type SnapshotWrites, withSnapshots } from '../test-bench/queries.ts'
import { createTestBench, type TestBench } from '../test-bench/test-bench.ts'
import { runJobs } from './jobs.ts'
import { contract } from './operations.ts'

export { createTestClock, withSnapshots }

/** The test bench of a served store, closed until its key is known. */
export type ServedTestBench = TestBench & {
  openWith(key: string): void
}

type Wiring = {
  context: Context
  targets: ReturnType<typeof createTargets>
  clock: TestClock
  config: Config
  snapshotWrites: SnapshotWrites
  firstId: bigint | undefined
  isStrict: boolean
  baseUrl(): string
  /** Ends the delays of faults, so that a stop does not wait for them. */
  stopping: AbortSignal
}

const prefix = '/test-bench'

const declaredErrors = new Map(
  contract.map((operation) => [operation.operationId, new Set(errorCodesOf(operation))]),
)

/** Adds the test bench to the server of a store in memory. */
export function addTestBench(
  server: FastifyInstance,
  { context, targets, clock, config, snapshotWrites, firstId, isStrict, baseUrl, stopping }: Wiring,
): ServedTestBench {
  const key: ControlKey = { digest: undefined }
  const bench = createTestBench({
    context: {
      ...context,
      db: withOrigin(context.db, { type: 'command', name: 'test bench' }, context.clock),
    },
    clock,
    environment: config.environment,
    snapshotWrites,
    firstId,
    declaredErrors,
    runJobs: () => runJobs(context),
    misdeliver: createMisdeliveries(context, targets),
  })
  intercept(server, {
    ...bench,
    declaredErrors,
    isStrict,
    now: clock.now,
    stopping,
  })
  const root = () => baseUrl().replace(/\/v1$/, prefix)
  const document = implementDocument(getTestBenchDocumentOperation, () =>
    assembleTestBenchDocument(root()),
  )
  const kit = { prefix, context, keys: controlKeys(key), baseUrlOf: root }
  for (const { compile } of [document, ...implementControls(bench)]) {
    for (const route of compile(kit)) server.route(route)
  }
  return {
    ...bench,
    openWith(text) {
      key.digest = digestOf(text)
    },
  }
}
