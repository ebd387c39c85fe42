import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context/context.ts'
import { storage } from './storage.ts'

const everyMs = 1_000

/**
 * Runs each job once: expires orders, deletes expired idempotency keys. Rejects with the first failure once all have
 * run.
 */
export async function runJobs({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const failures: unknown[] = []
  for (const { run } of storage.jobs) {
    await run(db, clock()).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw failures[0]
}

export type RunningJobs = { stop(): Promise<void> }

/** Runs the jobs every second. Failures are reported, and retried by the next run. */
export function runJobsRegularly(context: Context, report: (error: unknown) => void): RunningJobs {
  const stopping = new AbortController()

  async function run() {
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await runJobs(context).catch(report)
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
