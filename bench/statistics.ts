import { SeededRandom } from '../test/harness/seeded-random.ts'

const resamples = 10_000
const seed = 1

/** A median with its 95 % bootstrap interval. */
export type Estimate = { median: number; low: number; high: number }

/** The middle value, or the mean of the two middle values; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = Math.floor(sorted.length / 2)
  const lower = sorted.length % 2 === 0 ? upper - 1 : upper
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2
}

/** The value below which this share of them is: 0.99 for the p99, 1 for the largest; NaN for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

/** Percentile bootstrap of the median with a fixed seed. A missing value makes everything NaN. */
export function estimate(values: readonly number[]): Estimate {
  if (values.length === 0 || values.some(Number.isNaN)) {
    return { median: Number.NaN, low: Number.NaN, high: Number.NaN }
  }
  const random = new SeededRandom(seed)
  const draw = () => values[Math.floor(random.between(0, values.length))] as number
  const medians = Array.from({ length: resamples }, () => median(values.map(draw)))
  medians.sort((a, b) => a - b)
  const at = (share: number) => medians[Math.round(share * (resamples - 1))] as number
  return { median: median(values), low: at(0.025), high: at(0.975) }
}
