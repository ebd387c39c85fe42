/** `error` where data or the service is at risk now, `warning` where it may be later. */
export type Level = 'ok' | 'warning' | 'error'

/** What a check found: a sentence, and for what is wrong a second one with what to do. */
export type Finding = { check: string; level: Level; message: string }

type Verdict = Partial<Record<Level, string>>

/** Checks by name; each returns its sentence by level, several, or `false` where it has nothing to say. */
export type Checks<Facts> = Readonly<
  Record<string, (facts: Facts) => Verdict | readonly Verdict[] | false>
>

/** Runs these checks, in their order. */
export function findingsOf<Facts>(checks: Checks<Facts>, facts: Facts): Finding[] {
  const toFindings = (check: string, verdict: Verdict) =>
    Object.entries(verdict).map(([level, message]) => ({ check, level: level as Level, message }))
  return Object.entries(checks).flatMap(([check, run]) =>
    [run(facts) || []].flat().flatMap((verdict) => toFindings(check, verdict)),
  )
}
