const numbers = new Intl.NumberFormat()
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const spans = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** A number of things, as the reader writes numbers. Ids are no numbers of things: they keep their digits. */
export function formatCount(value: number): string {
  return numbers.format(value)
}

/** The day of an instant, as the reader writes dates. */
export function formatDay(text: string): string {
  return days.format(new Date(text))
}

/** An instant of the service, as the reader writes dates. */
export function formatInstant(text: string): string {
  return instants.format(new Date(text))
}

/** How far ahead an instant is, such as `in 5 minutes`; `now` once it has passed. */
export function formatFromNow(text: string, nowMs = Date.now()): string {
  const ms = Math.max(0, Date.parse(text) - nowMs)
  const [unit, unitMs] = units.find(([, unitMs]) => ms >= unitMs) ?? ['second', 1_000]
  return spans.format(Math.round(ms / unitMs), unit)
}
