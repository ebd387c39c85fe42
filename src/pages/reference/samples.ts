import type { Described } from './model.ts'

/** A program that sends the example request of an operation. */
type Sample = { language: 'curl' | 'typescript' | 'python'; label: string; text: string }

/** The samples of an operation, with this base address. The key is in the environment, as `API_KEY`. */
export function samplesOf(operation: Described, baseUrl: string): Sample[] {
  const request = exampleOf(operation, baseUrl)
  const { client } = operation.operation
  const inClient: Sample = {
    language: 'typescript',
    label: 'TypeScript',
    text: typescript(operation, request),
  }
  return [
    { language: 'curl', label: 'curl', text: curl(operation, request) },
    ...(client === undefined ? [] : [inClient]),
    { language: 'python', label: 'Python', text: python(operation, request) },
  ]
}

type Example = {
  baseUrl: string
  url: string
  ids: readonly unknown[]
  query: Record<string, unknown>
  body: unknown
  mediaType: string | undefined
}

/** Of a query the limit and the status, which every reader understands. */
const shownInQuery = ['status', 'limit']

function exampleOf({ operation: { path }, parameters, body }: Described, baseUrl: string): Example {
  const ids = parameters.flatMap((one) => (one.in === 'path' ? [one.example] : []))
  const query = Object.fromEntries(
    shownInQuery.flatMap((name) => {
      const parameter = parameters.find((one) => one.in === 'query' && one.name === name)
      return parameter ? [[name, parameter.example]] : []
    }),
  ) as Record<string, unknown>
  const asked = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  )
  const left = [...ids]
  const resource = path.replace(/\{\w+\}/g, () => String(left.shift()))
  const url = `${baseUrl}${resource}${asked.size > 0 ? `?${asked}` : ''}`
  return { baseUrl, url, ids, query, body: body?.example, mediaType: body?.mediaType }
}

function curl(
  { operation: { method }, isOpen }: Described,
  { url, body, mediaType }: Example,
): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined)
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"${url}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $API_KEY"']),
    ...(body === undefined ? [] : [`-H "Content-Type: ${mediaType}"`, curlBody(body)]),
  ]
  return lines.join(' \\\n  ')
}

/** The text of a file is sent as it is. */
function curlBody(body: unknown): string {
  const isFile = typeof body === 'string'
  const text = isFile ? body : json(body)
  return `${isFile ? '--data-binary' : '-d'} '${text.replaceAll("'", "'\\''")}'`
}

function typescript(
  { operation: { client, returns, isDownload }, isOpen, responses }: Described,
  { baseUrl, ids, query, body }: Example,
): string {
  const given = [
    ...ids.map(String),
    ...(body === undefined ? [] : [javascript(body)]),
    ...(Object.keys(query).length === 0 ? [] : [javascript(query)]),
  ].join(', ')
  const call = `await client.${client}(${given})`
  const name = returns === 'page' ? '{ data }' : isDownload ? 'file' : 'data'
  const hasResult =
    isDownload || responses.some(({ status, schema }) => status < 300 && schema !== undefined)
  const result = isDownload ? 'await file.text()' : 'data'
  return [
    "import { PetstoreClient } from 'petstore-client'",
    '',
    'const client = new PetstoreClient({',
    `  baseUrl: '${baseUrl}',`,
    ...(isOpen ? [] : ['  key: process.env.API_KEY,']),
    '})',
    '',
    ...(hasResult ? [`const ${name} = ${call}`, `console.log(${result})`] : [call]),
  ].join('\n')
}

function python(
  { operation: { method }, isOpen }: Described,
  { url, body, mediaType }: Example,
): string {
  const isFile = typeof body === 'string'
  const headers = [
    ...(isOpen ? [] : ['        "Authorization": "Bearer " + os.environ["API_KEY"],']),
    ...(body === undefined ? [] : [`        "Content-Type": "${mediaType}",`]),
  ]
  return [
    [...(body === undefined || isFile ? [] : ['json']), ...(isOpen ? [] : ['os']), 'urllib.request']
      .map((name) => `import ${name}`)
      .join('\n'),
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body === undefined
      ? []
      : [`    data=${isFile ? json(body) : `json.dumps(${pythonValue(body)})`}.encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}

/** JSON with Python's words for `true` and `false`; no example has `null`. */
function pythonValue(value: unknown): string {
  return json(value).replaceAll(': true', ': True').replaceAll(': false', ': False')
}

/** JSON in one line. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ')
}

function javascript(value: unknown): string {
  return json(value)
    .replaceAll(/"(\w+)": /g, '$1: ')
    .replaceAll(/"([^"'\\]*)"/g, "'$1'")
}
