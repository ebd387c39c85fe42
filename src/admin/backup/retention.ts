const hourMs = 3_600_000

/** Monday, 1970-01-05: calendar weeks begin on Mondays. */
const firstMondayMs = 4 * 24 * hourMs

/** The number of the period in UTC that a time is in; with `last`, each backup is a period of its own. */
const periods = {
  last: (ms: number) => ms,
  hourly: (ms: number) => Math.floor(ms / hourMs),
  daily: (ms: number) => Math.floor(ms / (24 * hourMs)),
  weekly: (ms: number) => Math.floor((ms - firstMondayMs) / (7 * 24 * hourMs)),
}

/**
 * How many backups are kept: the last ones, and the newest of each of the last hours, days and weeks that have one. A backup
 * is kept if any rule keeps it.
 */
export type Retention = Readonly<Partial<Record<keyof typeof periods, number>>>

/** The times of backups that no rule keeps. The newest is always kept. */
export function selectExpired(timesMs: readonly number[], retention: Retention): number[] {
  const newestFirst = timesMs.toSorted((one, other) => other - one)
  const kept = new Set(newestFirst.slice(0, 1))
  for (const [rule, count] of Object.entries(retention)) {
    const periodOf = periods[rule as keyof Retention]
    const newestOf = new Map<number, number>()
    for (const timeMs of newestFirst) {
      const period = periodOf(timeMs)
      if (!newestOf.has(period)) newestOf.set(period, timeMs)
    }
    for (const timeMs of [...newestOf.values()].slice(0, count)) kept.add(timeMs)
  }
  return newestFirst.filter((timeMs) => !kept.has(timeMs))
}
