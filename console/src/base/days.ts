/** A day of the reader's calendar, as `2026-11-28`; `before`: so many days earlier. */
export function dayOf(date: Date, before = 0): string {
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate() - before)
  // The Swedish way to write a date is that of ISO 8601.
  return day.toLocaleDateString('sv')
}

/** The instant at which a day begins, or, `after` days later, another one; `undefined` where the text is no day. */
export function startOfDay(day: string | undefined, after = 0): string | undefined {
  const start = new Date(`${day}T00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + after)
  return start.toISOString()
}

/** Whether a parameter of an address is a day. */
export function isDay(text: unknown): text is string {
  return (
    typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && startOfDay(text) !== undefined
  )
}
