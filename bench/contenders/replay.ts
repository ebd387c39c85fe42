import { readFileSync } from 'node:fs'

export type Recorded = { headers: [string, string][]; body: string }
/** What our service answered, by path; `created` is the answer to a create. */
export type Recording = { answers: Record<string, Recorded>; created: Recorded }

/** The answers that the harness recorded, held in memory. */
export function loadRecording() {
  const { answers, created }: Recording = JSON.parse(
    readFileSync(process.env.BENCH_RECORDING ?? '', 'utf8'),
  )
  return { answers: new Map(Object.entries(answers)), created }
}
