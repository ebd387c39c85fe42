const secondMs = 1_000
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', secondMs],
] as const

/** A duration in its largest unit: `3 days`, `1 hour`, `12 ms`, `20 µs`. */
export function duration(ms: number): string {
  const [unit, unitMs] = units.find(([, least]) => ms >= least) ?? ['ms', 1]
  if (ms < 0.1) return `${Math.round(ms * 1_000)} µs`
  if (unit === 'ms') return `${ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`
  const count = Math.floor(ms / unitMs)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const sizes = [
  ['TB', 1e12],
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
] as const

/** A size in its largest decimal unit, such as `12.3 GB`. */
export function size(bytes: number): string {
  const [unit, unitBytes] = sizes.find(([, least]) => bytes >= least) ?? ['bytes', 1]
  return `${Number((bytes / unitBytes).toFixed(1))} ${unit}`
}

/** `one`, `one and two`, `one, two and three`. */
export function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(words)
}

/** Whether an address leads to this machine alone. A folder is that of a socket. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|\/.*)$/.test(host)
}
