/**
 * The parameters of a query, each with all its values in order. A value that is not percent-encoded UTF-8 is
 * `undefined`, such a name stays as it was sent.
 */
export type QueryParameters = ReadonlyMap<string, readonly (string | undefined)[]>

export const noParameters: QueryParameters = new Map()

/** Parses `application/x-www-form-urlencoded` strictly. */
export function parseQueryString(text: string): QueryParameters {
  const parameters = new Map<string, (string | undefined)[]>()
  for (const pair of text.split('&')) {
    const equals = pair.indexOf('=')
    const sentName = equals === -1 ? pair : pair.slice(0, equals)
    if (sentName === '') continue
    const name = decode(sentName) ?? sentName
    const value = equals === -1 ? '' : decode(pair.slice(equals + 1))
    const values = parameters.get(name)
    if (values) values.push(value)
    else parameters.set(name, [value])
  }
  return parameters
}

function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The client's query with one parameter replaced and another removed, safe inside `<…>` of a `Link` header. */
export function replaceParameter(
  query: string,
  { name, value, removed }: { name: string; value: string; removed: string },
): string {
  let kept = ''
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const key = decode(equals === -1 ? pair : pair.slice(0, equals))
    if (pair !== '' && key !== name && key !== removed) kept += `${pair}&`
  }
  return `${kept.replace(/[^\x21\x24-\x3b\x3d\x3f-\x7e]/g, encodeURIComponent)}${name}=${value}`
}
