import { listWords } from '../contract/list-words.ts'

/** Where traces are sent, and which of them. */
export type TraceSettings = {
  endpoint: string
  headers: Readonly<Record<string, string>>
  /** Attributes of the process besides its own, by the names of OpenTelemetry. */
  resource: Readonly<Record<string, string>>
  sampler: Sampler
}

/** `ratio`: the part of the traces that begin here that is sent; `isParentBased`: others follow the decision of their parent. */
type Sampler = { isParentBased: boolean; ratio: number }

type Environment = Readonly<Record<string, string | undefined>>

const names = [
  ...['OTEL_SDK_DISABLED', 'OTEL_TRACES_EXPORTER', 'OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES'],
  ...['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'],
  ...['ENDPOINT', 'HEADERS', 'PROTOCOL'].flatMap((name) => [
    `OTEL_EXPORTER_OTLP_${name}`,
    `OTEL_EXPORTER_OTLP_TRACES_${name}`,
  ]),
]

/**
 * Reads the environment variables of OpenTelemetry. As its specification demands, an invalid one is warned of and counts as
 * unset. `traces` is undefined where they are not to be sent. No warning shows a value: headers hold passwords.
 */
export function readTraceSettings(environment: Environment): {
  traces: TraceSettings | undefined
  warnings: readonly string[]
} {
  const warnings: string[] = []
  const textOf = (name: string) => environment[name]?.trim() || undefined
  if (textOf('OTEL_SDK_DISABLED')?.toLowerCase() === 'true') return { traces: undefined, warnings }

  /** The value of the first of these variables that is set, unless it is invalid. */
  function read<T>(candidates: readonly string[], what: string, parse: Parse<T>): T | undefined {
    const name = candidates.find((candidate) => textOf(candidate) !== undefined)
    if (name === undefined) return undefined
    const value = parse(textOf(name) as string, name)
    if (value === undefined) warnings.push(`${name} is ignored: it must be ${what}.`)
    return value
  }
  const readOtlp = <T>(member: string, what: string, parse: Parse<T>) =>
    read([`OTEL_EXPORTER_OTLP_TRACES_${member}`, `OTEL_EXPORTER_OTLP_${member}`], what, parse)

  const others = Object.keys(environment)
    .filter((name) => name.startsWith('OTEL_') && !names.includes(name) && textOf(name))
    .sort()
  if (others.length > 0)
    warnings.push(`Without effect: ${listWords(others)}; see docs/operations/logs.md.`)
  const exporter = read(['OTEL_TRACES_EXPORTER'], 'otlp or none', oneOf('otlp', 'none'))
  readOtlp('PROTOCOL', 'http/json, which is what is sent', oneOf('http/json'))
  const endpoint = readOtlp(
    'ENDPOINT',
    'an http or https address without a password',
    parseEndpoint,
  )
  const headers = readOtlp('HEADERS', 'name=value,name=value, percent-encoded', parseHeaders)
  const resource = read(['OTEL_RESOURCE_ATTRIBUTES'], 'name=value,name=value', parsePairs)
  const kind = read(['OTEL_TRACES_SAMPLER'], listWords(samplers), oneOf(...samplers))
  const ratio = read(['OTEL_TRACES_SAMPLER_ARG'], 'a number from 0 to 1', parseRatio)
  const serviceName = textOf('OTEL_SERVICE_NAME')
  if (endpoint === undefined || exporter === 'none') return { traces: undefined, warnings }
  return {
    traces: {
      endpoint,
      headers: headers ?? {},
      resource: { ...resource, ...(serviceName ? { 'service.name': serviceName } : {}) },
      sampler: samplerOf(kind, ratio),
    },
    warnings,
  }
}

type Parse<T> = (text: string, name: string) => T | undefined

const roots = ['always_on', 'always_off', 'traceidratio']
const samplers = [...roots, ...roots.map((root) => `parentbased_${root}`)]

function samplerOf(kind = 'parentbased_always_on', ratio = 1): Sampler {
  const isRatio = kind.endsWith('traceidratio')
  return {
    isParentBased: kind.startsWith('parentbased_'),
    ratio: isRatio ? ratio : kind.endsWith('always_on') ? 1 : 0,
  }
}

function oneOf(...values: readonly string[]): Parse<string> {
  return (text) => values.find((value) => value === text)
}

function parseRatio(text: string): number | undefined {
  return /^(?:0|1|[01]?\.\d{1,15})$/.test(text) && Number(text) <= 1 ? Number(text) : undefined
}

/** The address for traces: the general one is that of all signals. */
function parseEndpoint(text: string, name: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  if (name === 'OTEL_EXPORTER_OTLP_ENDPOINT')
    url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

function parsePairs(text: string): Record<string, string> | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  const pairs = parts.map((part) => /^\s*([^\s=]+)\s*=(.*)$/.exec(part))
  try {
    const entries = pairs.map((pair) => {
      if (!pair) throw new URIError()
      return [pair[1] as string, decodeURIComponent((pair[2] as string).trim())]
    })
    return Object.fromEntries(entries)
  } catch {
    return undefined
  }
}

function parseHeaders(text: string): Record<string, string> | undefined {
  const headers = parsePairs(text)
  const isValid = Object.entries(headers ?? {}).every(
    ([name, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value),
  )
  return isValid ? headers : undefined
}
