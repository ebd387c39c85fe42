const numbers = new Intl.NumberFormat()
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

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
