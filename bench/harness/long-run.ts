import type { LongRun, Results } from '../results.ts'
import type { Entrant } from './entrant.ts'
import { residentMiB } from './server.ts'
import { runWrk } from './wrk.ts'

const connections = 64
const creates = { createShare: 0.01, createdKinds: 'all' } as const

/** Has both servers answer so many requests, at the same time, and watches their memory. */
export async function runLong(
  entrants: readonly Entrant[],
  { requests, stepMs }: { requests: number; stepMs: number },
): Promise<Results['longRuns']> {
  const runs = entrants.map(
    async (entrant): Promise<[string, LongRun]> => [
      entrant.server.name,
      await watch(entrant, requests, stepMs),
    ],
  )
  return Object.fromEntries(await Promise.all(runs))
}

type Sample = { answered: number; memoryMiB: number }

async function watch(
  { server, files }: Entrant,
  requests: number,
  stepMs: number,
): Promise<LongRun> {
  const samples: Sample[] = []
  let answered = 0
  while (answered < requests) {
    const load = { ...server, ...creates, pathsFile: files.mixed, connections, durationMs: stepMs }
    const { answers } = await runWrk(load)
    answered += answers
    samples.push({ answered, memoryMiB: residentMiB(server.pid) })
  }
  return {
    requests: answered,
    thirdQuarterMiB: meanBetween(samples, answered / 2, (3 * answered) / 4),
    lastQuarterMiB: meanBetween(samples, (3 * answered) / 4, answered),
  }
}

function meanBetween(samples: readonly Sample[], from: number, to: number): number {
  const within = samples.filter(({ answered }) => answered > from && answered <= to)
  return within.reduce((sum, { memoryMiB }) => sum + memoryMiB, 0) / within.length
}
