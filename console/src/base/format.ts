const numbers = new Intl.NumberFormat()
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const daysOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const times = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
// Words are in the language of the console; numbers and dates are as the reader writes them.
const spans = new Intl.RelativeTimeFormat('en-GB', { style: 'short' })

const minuteMs = 60_000
const units = [
  ['day', 1_440 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const

/** A number of things, as the reader writes numbers. Ids are no numbers of things: they keep their digits. */
export function formatCount(value: number): string {
  return numbers.format(value)
}

/** Such as `1 pet` or `1,200 pets`. */
export function formatCounted(value: number, noun: string): string {
  return `${formatCount(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** An amount with every digit that it has. */
export function formatPrice({ amount, currency }: { amount: string; currency: string }): string {
  return `${amount}\u00a0${currency}`
}

/** The day of an instant, as the reader writes dates. */
export function formatDay(text: string): string {
  return days.format(new Date(text))
}

/** An instant of the service, as the reader writes dates. */
export function formatInstant(text: string): string {
  return instants.format(new Date(text))
}

/** A past instant in one short line: `2 min ago`, of today `12:05`, else `26 Nov`, with the year where that is another. */
export function formatPast(text: string, nowMs: number): string {
  const [at, now] = [new Date(text), new Date(nowMs)]
  const minutes = Math.floor((nowMs - at.getTime()) / minuteMs)
  // The clock of the service may be a little ahead.
  if (minutes >= -1 && minutes < 60) return minutes < 1 ? 'now' : spans.format(-minutes, 'minute')
  if (at.toDateString() === now.toDateString()) return times.format(at)
  return (at.getFullYear() === now.getFullYear() ? daysOfYear : days).format(at)
}

/** How far ahead an instant is, rounded up, such as `in 5 min`; `now` once it has passed. */
export function formatFromNow(text: string, nowMs = Date.now()): string {
  const ms = Date.parse(text) - nowMs
  if (ms <= 0) return 'now'
  const [unit, unitMs] = units.find(([, unitMs]) => ms >= unitMs) ?? ['minute', minuteMs]
  return spans.format(Math.ceil(ms / unitMs), unit)
}
