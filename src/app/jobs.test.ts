import assert from 'node:assert/strict'
import { it, type TestContext } from 'node:test'
import { startApp } from '../../test/harness/app.ts'
import { until } from '../../test/harness/until.ts'
import type { Job } from '../db/storage.ts'
import { startJobs } from './jobs.ts'

/** The pauses of jobs, each of which lasts until the test ends it. */
function createPauses() {
  const pauses: { ms: number; end(): void }[] = []
  return {
    pause(ms: number, signal?: AbortSignal): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (signal?.aborted) resolve()
      pauses.push({ ms, end: resolve })
      signal?.addEventListener('abort', () => resolve())
      return promise
    },
    /** Ends the next pause; returns how long it would have lasted. */
    async endNext(): Promise<number> {
      await until(() => pauses.length > 0)
      const next = pauses.shift()
      next?.end()
      return next?.ms ?? 0
    },
  }
}

/** Starts these jobs in a store of their own. */
async function start(t: TestContext, ...invented: Partial<Job>[]) {
  const { context } = await startApp()
  const pauses = createPauses()
  const reports: string[] = []
  const running = startJobs(context, {
    jobs: invented.map((job, index) => ({
      name: `job ${index}`,
      intervalMs: 1_000,
      runStep: async () => false,
      ...job,
    })),
    report: (job, error, retryAfterMs) => reports.push(`${job}: ${error}; ${retryAfterMs} ms`),
    pause: pauses.pause,
  })
  t.after(() => Promise.race([running.stop(), pauses.endNext()]))
  return { ...running, ...pauses, reports }
}

const never = () => new Promise<boolean>(() => undefined)

/** Fails in each run with the next of these messages, unless it is empty. */
function failing(...messages: string[]) {
  return async () => {
    const message = messages.shift() ?? ''
    if (message !== '') throw new Error(message)
    return false
  }
}

it('each job runs at its own interval, and one that never ends delays no other', async (t) => {
  let runs = 0
  const runStep = async () => {
    runs += 1
    return runs === 2
  }

  const { endNext } = await start(t, { runStep: never }, { runStep, intervalMs: 60_000 })

  assert.deepEqual([await endNext(), await endNext()], [60_000, 60_000])
  await until(() => runs === 4)
})

it('a job that fails is tried again after twice the time, up to ten seconds, and ends no other', async (t) => {
  const { endNext, started } = await start(t, {
    runStep: failing('1', '2', '3', '4', '5', '6', ''),
    intervalMs: 5_000,
  })
  await started

  const pauses: number[] = []
  while (pauses.length < 8) pauses.push(await endNext())

  assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 5_000, 5_000])
})

it('a failure is reported unless the last run failed with the same', async (t) => {
  const runStep = failing('lost', 'lost', 'locked', '', 'locked')
  const { endNext, reports } = await start(t, { runStep, name: 'sweep' })

  for (let run = 0; run < 5; run++) await endNext()

  assert.deepEqual(reports, [
    'sweep: Error: lost; 1000 ms',
    'sweep: Error: locked; 4000 ms',
    'sweep: Error: locked; 1000 ms',
  ])
})

it('a stop waits for a running step, and begins no further one', async (t) => {
  const step = Promise.withResolvers<boolean>()
  let runs = 0
  const runStep = () => {
    runs += 1
    return step.promise
  }
  const { stop } = await start(t, { runStep })
  let isStopped = false

  const stopping = stop().then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  assert.equal(isStopped, false)
  step.resolve(true)
  await stopping

  assert.equal(runs, 1)
})

it('a stop waits two seconds for a step that hangs', async (t) => {
  const { stop, endNext } = await start(t, { runStep: never })

  const stopping = stop()

  assert.equal(await endNext(), 2_000)
  await stopping
})
