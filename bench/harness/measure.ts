import { setTimeout as sleep } from 'node:timers/promises'
import { processorMs } from '../../test/processes/processor-time.ts'
import type { Window } from '../results.ts'
import type { Workload } from '../workloads.ts'
import { forgetPeak, peakMiB, type Server } from './server.ts'
import { type Load, runWrk } from './wrk.ts'

/** Few enough that a server which blocks during each sync still answers some reads. */
const creators = 4
/** Connection pools close idle connections. Opening them again must not count in the window. */
const leadInMs = 200

/** A server with a file of paths for `wrk` by what a workload reads. */
export type Participant = { server: Server; files: Record<Workload['reads'], string> }

/** What a workload asks of a participant. */
export function loadOf(
  { server: { baseUrl, key }, files }: Participant,
  { reads, createShare, createdKinds, connections }: Workload,
): Omit<Load, 'durationMs'> {
  return { baseUrl, key, pathsFile: files[reads], createShare, createdKinds, connections }
}

/** Measures one window of a workload on one server. Throws `LoadFailed`. */
export async function measure(
  participant: Participant,
  workload: Workload,
  windowMs: number,
): Promise<Window> {
  const { server } = participant
  const { createShare, syncDelayMs } = workload
  const durationMs = syncDelayMs === undefined ? windowMs : 2 * windowMs
  const load = { ...loadOf(participant, workload), durationMs }
  if (workload.engine === 'postgres') await runWrk({ ...load, durationMs: leadInMs })
  const creating = syncDelayMs === undefined ? undefined : createSlowly(server, load, syncDelayMs)
  forgetPeak(server.pid)
  const syncsBefore = server.syncs?.count() ?? 0
  const pids = [server.pid, ...(server.databasePid ? [server.databasePid] : [])]
  const before = processorMs(...pids)
  const reading = runWrk(load)
  // When either fails, the other must still end before the next window.
  await Promise.allSettled([reading, creating])
  const spentMs = processorMs(...pids) - before
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

/** Creates while each sync is delayed, and waits until the last delayed sync has ended. */
async function createSlowly(server: Server, load: Load, syncDelayMs: number): Promise<void> {
  server.syncs?.delay(syncDelayMs)
  try {
    await runWrk({ ...load, createShare: 1, connections: creators })
  } finally {
    server.syncs?.delay(0)
    await sleep(syncDelayMs)
  }
}
