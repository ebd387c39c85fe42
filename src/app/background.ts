import type { createCallCounter } from '../features/deprecations/count-calls.ts'
import { createFanOut } from '../features/webhooks/deliver/fan-out-events.ts'
import {
  type RunningDeliveries,
  startDeliveries,
} from '../features/webhooks/deliver/start-deliveries.ts'
import type { createTargets } from '../features/webhooks/deliver/targets.ts'
import { type Observer, reportTo } from '../http/observe.ts'
import type { Log } from '../telemetry/log.ts'
import { type RunningJobs, startJobs } from './jobs.ts'
import { storage } from './storage.ts'

type JobContext = Parameters<typeof startJobs>[0]
type DeliveriesContext = Parameters<typeof startDeliveries>[0]['context']

type BackgroundOptions = {
  targets: ReturnType<typeof createTargets>
  log: Log
  observers: readonly Observer[]
  deprecatedCalls: ReturnType<typeof createCallCounter>
}

/** What a service does beside requests: its jobs, and the deliveries of webhooks. */
export function createBackground(
  context: DeliveriesContext & JobContext,
  { targets, log, observers, deprecatedCalls }: BackgroundOptions,
) {
  let jobs: RunningJobs | undefined
  let deliveries: RunningDeliveries | undefined

  return {
    /** Runs the jobs once, then at their intervals, and starts the deliveries. */
    async start() {
      jobs = startJobs(context, {
        jobs: [
          ...[...storage.jobs, deprecatedCalls.job],
          createFanOut(context, () => deliveries?.wake()),
        ],
        report: (job, err, retryAfterMs) =>
          log.warn({ job, err }, `Scheduled job failed; retrying in ${retryAfterMs / 1_000} s.`),
        reportProgress: (job, { done, of }) => log.info({ job }, `Done: ${done} of ${of} records.`),
      })
      // A job that fails does not prevent the start: another process may hold a row lock.
      await jobs.started
      deliveries = startDeliveries({
        ...{ context, targets },
        attempted: reportTo(observers, 'webhookAttempted'),
        report: (sentence, err) => log.warn({ err }, sentence),
      })
    },
    /** Webhooks or deliveries have changed. */
    wakeDeliveries: () => deliveries?.wake(),
    async stop() {
      await Promise.all([jobs?.stop(), deliveries?.stop()])
      await deprecatedCalls
        .store(context.db, context.clock())
        .catch((err) => log.warn({ err }, 'Calls of deprecated operations were not stored.'))
    },
  }
}
