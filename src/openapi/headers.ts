import {
  allHeaders,
  headersOf,
  localBaseUrl,
  type ResponseKind,
  responseHeaders,
} from '../contract/response-headers.ts'

type Key = keyof typeof responseHeaders

/** The `components.headers` that this text refers to; their examples have this base address. */
export function headersAt(baseUrl: string, text: string): Record<string, object> {
  const keys = (Object.keys(responseHeaders) as Key[]).filter((key) =>
    text.includes(`"#/components/headers/${key}"`),
  )
  return Object.fromEntries(keys.map((key) => [key, describeHeader(key, baseUrl)]))
}

/** The headers that a response may have beside those of any response, if there are some. */
export function referHeaders(response: ResponseKind): { headers?: Record<string, object> } {
  const own = headersOf(response).filter(({ key }) => !commonKeys.has(key))
  if (own.length === 0) return {}
  const entries = own.map(({ key, name }) => [
    name,
    // Only responses of no operation have it.
    key === 'Allow' ? describeHeader(key) : { $ref: `#/components/headers/${key}` },
  ])
  return { headers: Object.fromEntries(entries) }
}

/** The headers that any response may have; their examples have this base address. */
export function describeCommonHeaders(baseUrl: string): Record<string, object> {
  const common = allHeaders.filter(({ key }) => commonKeys.has(key))
  return Object.fromEntries(common.map(({ key, name }) => [name, describeHeader(key, baseUrl)]))
}

/** Headers that follow from the request, the key or the lifecycle of an operation: any response may have them. */
const commonKeys: ReadonlySet<Key> = new Set<Key>([
  'X-Request-Id',
  'X-Content-Type-Options',
  'Cache-Control',
  'Preference-Applied',
  'Petstore-Ignored',
  'Petstore-Scopes',
  'RateLimit-Policy',
  'RateLimit',
  'Deprecation',
  'Sunset',
  'SuccessorVersion',
])

function describeHeader(key: Key, baseUrl = localBaseUrl): object {
  const { description, example, schema } = responseHeaders[key]
  return {
    description,
    schema: { type: 'string', ...schema },
    example: example.replace(localBaseUrl, baseUrl),
  }
}

type HeaderParameter = { name: string; required: boolean; description: string; example: string }

/** A header of a request. */
export function headerParameter(
  { name, required, description, example }: HeaderParameter,
  schema: object,
) {
  return {
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string', ...schema },
    example,
  }
}
