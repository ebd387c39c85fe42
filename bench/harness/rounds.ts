import type { Results } from '../results.ts'
import { rotate } from '../rotate.ts'
import type { Workload } from '../workloads.ts'
import { entrantsOf, type LineUp, noteDash } from './entrant.ts'
import { measure } from './measure.ts'
import { demandShortLog } from './server.ts'
import { WrongAnswers } from './wrk.ts'

export type Plan = { rounds: number; windowMs: number; warmUpMs: number }

/** Measures every server once in each round, in rotated order; round 0, where there is one, warms up and does not count. */
export async function runRounds(
  lineUp: LineUp,
  chosen: readonly Workload[],
  { rounds, windowMs, warmUpMs }: Plan,
  atEachRound: (round: number) => Promise<void>,
): Promise<Results['windows']> {
  const windows: Results['windows'] = {}
  for (let round = warmUpMs > 0 ? 0 : 1; round <= rounds; round++) {
    await atEachRound(round)
    for (const workload of chosen) {
      const { name } = workload
      for (const entrant of rotate(entrantsOf(lineUp, workload), round)) {
        try {
          const window = await measure(entrant, workload, round === 0 ? warmUpMs : windowMs)
          if (round === 0) continue
          windows[name] ??= {}
          windows[name][entrant.server.name] ??= []
          windows[name][entrant.server.name]?.push(window)
        } catch (error) {
          if (!(error instanceof WrongAnswers)) throw error
          noteDash(lineUp, name, entrant.server.name, error.message)
          delete windows[name]?.[entrant.server.name]
        }
      }
    }
    for (const { server } of lineUp.entrants.sqlite) demandShortLog(server)
  }
  return windows
}
