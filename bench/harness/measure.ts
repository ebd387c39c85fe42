import { setTimeout as sleep } from 'node:timers/promises'
import type { Window } from '../results.ts'
import { isOfOrders, type OrderWrites, type Workload } from '../workloads.ts'
import { cancelOrders, listCancellations } from './orders.ts'
import { processorMs } from './processor-time.ts'
import { forgetPeak, peakMiB, type Server } from './server.ts'
import { type Load, runWrk } from './wrk.ts'

/** Few enough that a server which blocks during each sync still answers some reads. */
const creators = 4
/** Connection pools close idle connections. Opening them again must not count in the window. */
const leadInMs = 200

/** A server with its files for `wrk`. */
export type Participant = {
  server: Server
  /** Paths by what a workload reads, requests by what it writes. */
  files: Record<Workload['reads'] | OrderWrites, string>
}

/** What a workload asks of a participant. */
function loadOf(
  { server: { baseUrl, key }, files }: Participant,
  { reads, writeShare, writes: kind, connections }: Workload,
): Omit<Load, 'durationMs'> {
  const writes = isOfOrders(kind) ? files[kind] : kind
  return { baseUrl, key, pathsFile: files[reads], writeShare, writes, connections }
}

/** Measures one window of a workload on one server. Throws `LoadFailed`. */
export async function measure(
  participant: Participant,
  workload: Workload,
  windowMs: number,
): Promise<Window> {
  const durationMs = workload.syncDelayMs === undefined ? windowMs : 2 * windowMs
  const load = { ...loadOf(participant, workload), durationMs }
  if (isOfOrders(workload.writes)) return await measureOrders(participant, workload, load)
  if (workload.engine === 'postgres') await runWrk({ ...load, durationMs: leadInMs })
  return await measureLoad(participant.server, workload, load)
}

/** Makes the orders that a window cancels. Leaves none open: the pets are available again. */
async function measureOrders(
  { server, files }: Participant,
  workload: Workload,
  load: Load,
): Promise<Window> {
  const { 'orders of a pet each': orders, cancellations } = files
  try {
    if (workload.writes === 'cancellations') {
      // Also when cancellations are faster than orders, the window should not end early.
      await runWrk({ ...load, writes: orders, durationMs: 2 * load.durationMs })
      await listCancellations(server, cancellations)
    } else {
      await runWrk({ ...load, durationMs: leadInMs })
      await cancelOrders(load, cancellations)
    }
    return await measureLoad(server, workload, load)
  } finally {
    await cancelOrders(load, cancellations)
  }
}

async function measureLoad(
  server: Server,
  { writeShare, syncDelayMs }: Workload,
  load: Load,
): Promise<Window> {
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
    perSecond,
    p50Ms,
    p99Ms,
    peakMiB: peakMiB(server.pid),
    ...(syncs > 0 && writeShare > 0 ? { createsPerSync: (answers * writeShare) / syncs } : {}),
  }
}

/** Creates while each sync is delayed, and waits until the last delayed sync has ended. */
async function createSlowly(server: Server, load: Load, syncDelayMs: number): Promise<void> {
  server.syncs?.delay(syncDelayMs)
  try {
    await runWrk({ ...load, writeShare: 1, connections: creators })
  } finally {
    server.syncs?.delay(0)
    await sleep(syncDelayMs)
  }
}
