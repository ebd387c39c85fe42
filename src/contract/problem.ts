/**
 * One problem of a request: where (an RFC 6901 pointer into the body, a parameter, or a line of a file), and what is wrong
 * there.
 */
export type Problem = {
  pointer?: string
  parameter?: string
  line?: number
  column?: string
  /** The error code of a refused line. */
  code?: string
  detail: string
}

/** The most problems that a response names; it counts the others. */
export const problemsMax = 100
/** The most bytes of their JSON. Problem details have them twice, in `detail` and in `errors`, within 64 KiB. */
const problemsMaxBytes = 20_480

/** The first problems, as many as a response names. */
export function firstProblems<P extends Problem>(problems: readonly P[]): readonly P[] {
  const first = problems.slice(0, problemsMax)
  let sizeBytes = 0
  const end = first.findIndex((problem) => {
    sizeBytes += new TextEncoder().encode(JSON.stringify(problem)).length
    return sizeBytes > problemsMaxBytes
  })
  return end === -1 ? first : first.slice(0, end)
}

/**
 * A sentence of the first problems, each with the parameter, or the path in the body, that it is about, and of how many
 * others there are. `whole` names the body.
 */
export function describeProblems(problems: readonly Problem[], whole = 'The body'): string {
  const first = firstProblems(problems)
  const clauses = first.map(({ pointer, parameter, detail }) => {
    const place = parameter ?? pointer?.slice(1).split('/').map(withoutEscapes).join('.')
    return `${place ? quotedName(place) : whole} ${detail}`
  })
  const others = problems.length - first.length
  if (others > 0) clauses.push(`and ${others} more`)
  return joinSentences(clauses)
}

/** Clauses or whole sentences as one sentence, without a second stop behind those that have one. */
export function joinSentences(sentences: readonly string[]): string {
  const message = `${sentences.join('; ')}.`
  return message
    .replaceAll('?; ', '? ')
    .replaceAll('.; ', '; ')
    .replace(/([?.])\.$/, '$1')
}

function withoutEscapes(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The most characters of a name, and of a value, that a response repeats. */
export const nameShownMax = 40
const valueShownMax = 60

/** The beginning of a name, in quotes unless it is a plain word. */
export function quotedName(name: string): string {
  const shown = shortened(name)
  return /^[\w.-]+$/.test(shown) ? shown : JSON.stringify(shown)
}

/** The beginning of a name, short enough for a response. */
export function shortened(name: string, max = nameShownMax): string {
  return name.length <= max ? name : `${name.slice(0, max).toWellFormed()}…`
}

/** A received value, shortened for a message. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'a number that is no such integer'
  if (typeof value === 'bigint') return shortened(String(value), valueShownMax)
  // Of a long text no more is escaped than is shown.
  const start = typeof value === 'string' ? value.slice(0, valueShownMax) : value
  return shortened(JSON.stringify(start) ?? String(value), valueShownMax)
}
