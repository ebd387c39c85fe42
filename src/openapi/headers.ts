import {
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

/** The headers that a response may have. */
export function referHeaders(response: ResponseKind): Record<string, object> {
  return Object.fromEntries(
    headersOf(response).map(({ key, name }) => [
      name,
      // Only responses of no operation have it.
      key === 'Allow' ? describeHeader(key) : { $ref: `#/components/headers/${key}` },
    ]),
  )
}

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
