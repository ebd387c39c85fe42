import type { Results } from '../results.ts'
import { interleave } from '../rounds.ts'
import { takesPart, type Workload } from '../workloads.ts'
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
  const windows: Results['windows'] = Object.fromEntries(chosen.map(({ name }) => [name, {}]))
  const skips: Results['skips'] = {}
  const turns = interleave(chosen, (workload) => participantsIn(participants, workload), {
    first: warmUpMs > 0 ? 0 : 1,
    last: rounds,
    onRound: (round) => console.log(round === 0 ? 'warming up' : `round ${round} of ${rounds}`),
  })
  for (const { round, row: workload, side: participant } of turns) {
    const { [workload.name]: measured = {} } = windows
    const { name } = participant.server
    if (skips[workload.name]?.[name] !== undefined) continue
    try {
      const window = await measure(participant, workload, round === 0 ? warmUpMs : windowMs)
      if (round > 0) measured[name] = [...(measured[name] ?? []), window]
    } catch (error) {
      if (!(error instanceof LoadFailed)) throw error
      skips[workload.name] = { ...skips[workload.name], [name]: error.message }
      delete measured[name]
    }
    if (workload.engine === 'sqlite') requireShortLog(participant.server)
  }
  return { windows, skips }
}

function participantsIn(participants: Participants, workload: Workload) {
  return participants[workload.engine].filter(({ server }) => takesPart(server.name, workload))
}
