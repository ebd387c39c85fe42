const dateTime =
  /^(\d{4}-\d{2}-\d{2})t((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i

const minuteMs = 60_000

/**
 * Parses a `date-time` of RFC 3339 to milliseconds since 1970, further digits cut off; `undefined` for any other text, and
 * outside of the years 0 to 9999 in UTC. A leap second is the end of a month in UTC, and the same instant as the next second.
 */
export function parseInstant(text: string): number | undefined {
  const [, date, time, second, fraction = '', sign, hours = 0, minutes = 0] =
    dateTime.exec(text) ?? []
  const localMs = Date.parse(`${date}T${time}Z`)
  // Date parses 30 February as 2 March.
  if (Number.isNaN(localMs) || !isoOf(localMs).startsWith(`${date}`)) return undefined
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * minuteMs
  const startMs = localMs - (sign === '-' ? -offsetMs : offsetMs)
  if (second === '60' && !isoOf(startMs + minuteMs).endsWith('-01T00:00:00.000Z')) return undefined
  const ms = startMs + Number(second) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'))
  return isoOf(ms).length === isoLength ? ms : undefined
}

/** Whether a text is a `full-date` of RFC 3339. */
export function isDate(text: unknown): boolean {
  return typeof text === 'string' && text.length === 10 && !!parseInstant(`${text}T12:00:00Z`)
}

/** Years of more than four digits make it longer. */
const isoLength = '2030-12-05T00:00:00.000Z'.length

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
