const numbers = new Intl.NumberFormat()
const instants = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A number of things, as the reader writes numbers. Ids are no numbers of things: they keep their digits. */
export function formatCount(value: number): string {
  return numbers.format(value)
}

/** An instant of the service, as the reader writes dates. */
export function formatInstant(text: string): string {
  return instants.format(new Date(text))
}
