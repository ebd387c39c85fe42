import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { processorMs } from '../../test/support/processor-time.ts'
import type { Window } from '../results.ts'
import type { Workload } from '../workloads.ts'
import { type Entrant, loadOf } from './entrant.ts'
import { peakMiB, type Server } from './server.ts'
import { runWrk } from './wrk.ts'

/** Few enough that a server which stands still for each of them still answers a read now and then. */
const creators = 4
/** Pools give up connections that have been idle; to open them again is not the price of an answer. */
const leadInMs = 200

/** Runs one workload on one server for a while. Throws `WrongAnswers`. */
export async function measure(
  entrant: Entrant,
  workload: Workload,
  durationMs: number,
): Promise<Window> {
  const { server } = entrant
  const { createShare, syncDelayMs } = workload
  const load = { ...loadOf(entrant, workload), durationMs }
  if (workload.engine === 'postgres') await runWrk({ ...load, durationMs: leadInMs })
  const creating =
    syncDelayMs === undefined
      ? undefined
      : createBeside(server, { ...load, durationMs: 2 * durationMs }, syncDelayMs)
  forgetPeak(server.pid)
  const syncsBefore = server.syncs?.count() ?? 0
  const before = processorMs(...server.pids)
  const reading = runWrk(syncDelayMs === undefined ? load : { ...load, durationMs: 2 * durationMs })
  // Whichever fails, nothing of this window may run on into the next.
  await Promise.allSettled([reading, creating])
  const spentMs = processorMs(...server.pids) - before
  const syncs = (server.syncs?.count() ?? 0) - syncsBefore
  await creating
  const { answers, perSecond, p50Ms, p99Ms } = await reading
  return {
    processorUs: (spentMs * 1_000) / answers,
    ...{ perSecond, p50Ms, p99Ms },
    peakMiB: peakMiB(server.pid),
    ...(syncs > 0 && createShare > 0 ? { createsPerSync: (answers * createShare) / syncs } : {}),
  }
}

/** Creates while the disk is slow. What waits at the end is answered when it is fast again. */
async function createBeside(
  server: Server,
  load: Parameters<typeof runWrk>[0],
  syncDelayMs: number,
): Promise<void> {
  server.syncs?.delay(syncDelayMs)
  try {
    await runWrk({ ...load, createShare: 1, connections: creators })
  } finally {
    server.syncs?.delay(0)
    await sleep(syncDelayMs)
  }
}

/** Linux counts the peak anew from here. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}
