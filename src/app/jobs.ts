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

/** Runs the jobs every second. A failure is retried by the next run, and reported unless the last run failed with the same. */
export function runJobsRegularly(context: Context, report: (error: unknown) => void): RunningJobs {
  const stopping = new AbortController()

  async function run() {
    let reported: string | undefined
    while (!stopping.signal.aborted) {
      await sleep(everyMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      const failure: unknown = await runJobs(context).then(
        () => undefined,
        (error) => error,
      )
      if (failure !== undefined && String(failure) !== reported) report(failure)
      reported = failure === undefined ? undefined : String(failure)
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
