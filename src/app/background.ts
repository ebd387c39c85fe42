import type { ServiceContext } from '../context/context.ts'
import type { createCallCounter } from '../features/deprecations/count-calls.ts'
import { createFanOut } from '../features/webhooks/deliver/fan-out-events.ts'
import { createDeliveries } from '../features/webhooks/deliver/send-deliveries.ts'
import type { createTargets } from '../features/webhooks/deliver/targets.ts'
import { type Observer, reportTo } from '../http/observe.ts'
import type { Log } from '../telemetry/log.ts'
import { type RunningJobs, startJobs } from './jobs.ts'
import { storage } from './storage.ts'

type BackgroundOptions = {
  targets: ReturnType<typeof createTargets>
  log: Log
  observers: readonly Observer[]
  deprecatedCalls: ReturnType<typeof createCallCounter>
}

/** What a service does beside requests: its jobs, and the deliveries of webhooks. */
export function createBackground(
  context: ServiceContext,
  { targets, log, observers, deprecatedCalls }: BackgroundOptions,
) {
  let jobs: RunningJobs | undefined
  const attempted = reportTo(observers, 'webhookAttempted')
  const deliveries = createDeliveries({ context, targets, attempted })

  return {
    /** Runs the jobs once, then at their intervals. */
    async start() {
      jobs = startJobs(context, {
        jobs: [...storage.jobs, deprecatedCalls.job, createFanOut(context), deliveries.job],
        report: (job, err, retryAfterMs) =>
          log.warn({ job, err }, `Scheduled job failed; retrying in ${retryAfterMs / 1_000} s.`),
      })
      // A job that fails does not prevent the start: another process may hold a row lock.
      await jobs.started
    },
    /** Webhooks, or keys that make them, have changed. */
    forgetWebhooks: () => deliveries.forget(),
    async stop() {
      await jobs?.stop()
      await deliveries.stop()
      await deprecatedCalls
        .store(context.db, context.clock())
        .catch((err) => log.warn({ err }, 'Calls of deprecated operations were not stored.'))
    },
  }
}
