import type { Results } from '../results.ts'
import { rawNode, type Workload } from '../workloads.ts'
import { measure, type Participant } from './measure.ts'
import { requireShortLog } from './server.ts'
import { LoadFailed } from './wrk.ts'

export type Plan = { rounds: number; windowMs: number; warmUpMs: number }
export type Participants = Record<Workload['engine'], readonly Participant[]>

/** Measures each participant once per round and workload. With a warm-up, round 0 is measured but not kept. */
export async function runRounds(
  participants: Participants,
  chosen: readonly Workload[],
  { rounds, windowMs, warmUpMs }: Plan,
): Promise<Pick<Results, 'windows' | 'skips'>> {
  const windows: Results['windows'] = {}
  const skips: Results['skips'] = {}
  for (let round = warmUpMs > 0 ? 0 : 1; round <= rounds; round++) {
    console.log(round === 0 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const workload of chosen) {
      const { [workload.name]: measured = {} } = windows
      const { [workload.name]: skipped = {} } = skips
      for (const participant of rotate(participantsIn(participants, workload), round)) {
        const { name } = participant.server
        if (skipped[name] !== undefined) continue
        try {
          const window = await measure(participant, workload, round === 0 ? warmUpMs : windowMs)
          if (round > 0) measured[name] = [...(measured[name] ?? []), window]
        } catch (error) {
          if (!(error instanceof LoadFailed)) throw error
          skipped[name] = error.message
          delete measured[name]
        }
      }
      windows[workload.name] = measured
      if (Object.keys(skipped).length > 0) skips[workload.name] = skipped
    }
    for (const { server } of participants.sqlite) requireShortLog(server)
  }
  return { windows, skips }
}

function participantsIn(participants: Participants, { engine, hasRawNode }: Workload) {
  return participants[engine].filter(({ server }) => hasRawNode || server.name !== rawNode)
}

/** Each round starts with the next server. Every other round is in reverse, so that none always follows the same one. */
export function rotate<T>(servers: readonly T[], round: number): T[] {
  const step = round % 2 === 0 ? 1 : -1
  return servers.map((_, index) => servers.at((round + step * index) % servers.length) as T)
}
