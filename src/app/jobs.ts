import type { ServiceContext } from '../context/context.ts'
import { instantMs } from '../db/deadline.ts'
import { withOrigin } from '../db/opening/with-origin.ts'
import type { Job } from '../db/storage.ts'
import { sleep } from '../timers.ts'
import { storage } from './storage.ts'

/** The first retry of a failed job; each further one waits twice as long, up to the interval or `retryMaxMs`. */
const retryMs = 1_000
const retryMaxMs = 10_000
/** How long a stop waits for steps that run; closing the database waits for the rest. */
const stopMaxMs = 2_000

type JobContext = Pick<ServiceContext, 'db' | 'clock' | 'logLimits'>

/** Runs each job until nothing is due. Rejects with the first failure once all have ended. */
export async function runJobs(context: JobContext, jobs = storage.jobs): Promise<void> {
  const results = await Promise.allSettled(jobs.map((job) => runJob(job, context)))
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

async function runJob(
  { name, runStep, isBackground }: Job,
  { db, clock, logLimits }: JobContext,
  { signal, pause }: RunOptions = {},
): Promise<void> {
  const nowMs = clock()
  const ofJob = withOrigin(db, { type: 'job', name }, clock)
  while (!signal?.aborted) {
    const startMs = instantMs()
    if (!(await runStep(ofJob, nowMs, logLimits))) return
    if (isBackground) await pause?.(instantMs() - startMs, signal)
  }
}

type RunOptions = Pick<JobsOptions, 'pause'> & { signal?: AbortSignal }

export type RunningJobs = ReturnType<typeof startJobs>

type JobsOptions = {
  jobs?: readonly Job[]
  /** Called with a failure, unless the last run of the job failed with the same. */
  report(job: string, error: unknown, retryAfterMs: number): void
  /** Waits for this time, or until the signal. */
  pause?(ms: number, signal?: AbortSignal): Promise<void>
}

/** Runs each job now and then at its interval, independently of the others. */
export function startJobs(
  context: JobContext,
  { jobs = storage.jobs, report, pause = pauseUnreferenced }: JobsOptions,
) {
  const stopping = new AbortController()
  const { signal } = stopping

  async function runRegularly(job: Job, onRun: () => void) {
    let failures = 0
    let reported: string | undefined
    while (!signal.aborted) {
      let pauseMs = job.intervalMs
      try {
        await runJob(job, context, { signal, pause })
        failures = 0
        reported = undefined
      } catch (error) {
        pauseMs = Math.min(retryMs * 2 ** failures, Math.max(job.intervalMs, retryMaxMs))
        failures += 1
        if (String(error) !== reported) report(job.name, error, pauseMs)
        reported = String(error)
      }
      onRun()
      await pause(pauseMs, signal)
    }
  }

  const loops = jobs.map((job) => {
    const first = Promise.withResolvers<void>()
    if (job.isBackground) first.resolve()
    return { first: first.promise, ended: runRegularly(job, first.resolve) }
  })
  return {
    /** Resolves once each job but those of the background has run, or failed. */
    started: Promise.all(loops.map(({ first }) => first)),
    /** Resolves once no step runs any more, or after two seconds. */
    async stop() {
      stopping.abort()
      await Promise.race([Promise.all(loops.map(({ ended }) => ended)), pause(stopMaxMs)])
    },
  }
}

/** Does not keep the process from ending. */
async function pauseUnreferenced(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal }).catch(() => undefined)
}
