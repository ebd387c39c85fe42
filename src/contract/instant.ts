/** Parses an ISO 8601 text in UTC to milliseconds since 1970; `undefined` for any other text. */
export function parseInstant(text: string): number | undefined {
  const date = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z$/.exec(text)?.[1]
  const ms = date === undefined ? Number.NaN : Date.parse(text)
  // Date parses 30 February as 2 March.
  const isReal =
    !Number.isNaN(ms) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(`${date}`)
  return isReal ? ms : undefined
}
