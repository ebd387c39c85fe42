import { contentOf } from '../../contract/operation.ts'
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
    // The standard library makes no forms.
    ...(request.file?.part
      ? []
      : [{ language: 'python', label: 'Python', text: python(operation, request) } as const]),
  ]
}

type Example = {
  baseUrl: string
  url: string
  ids: readonly unknown[]
  query: Record<string, unknown>
  body: unknown
  mediaType: string | undefined
  /** The name of a file that is sent; of a form, the part that it is in. */
  file?: { name: string; part: string | undefined } | undefined
}

/** Of a query the limit and the status, which every reader understands. */
const shownInQuery = ['status', 'limit']

function exampleOf({ operation, parameters, body }: Described, baseUrl: string): Example {
  const { path, body: own } = operation
  const content = own && contentOf(own)
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
  const file = content?.isUpload ? { name: 'sunny.png', part: content.part?.name } : undefined
  const mediaType = file ? 'image/png' : body?.mediaType
  return { baseUrl, url, ids, query, body: file ? undefined : body?.example, mediaType, file }
}

function curl(
  { operation: { method, isUploaded }, isOpen }: Described,
  { url, body, mediaType, file }: Example,
): string {
  const isImplied = method === 'GET' || (method === 'POST' && (body ?? file) !== undefined)
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}"${url}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $API_KEY"']),
    ...(body === undefined ? [] : [`-H "Content-Type: ${mediaType}"`, curlBody(body)]),
    ...(file && !file.part
      ? [`-H "Content-Type: ${mediaType}"`, `--data-binary @${file.name}`]
      : []),
    ...(file?.part ? [`-F ${file.part}=@${file.name}`] : []),
    ...(isUploaded ? ['-o photo'] : []),
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
  { operation: { client, returns, isDownload, isUploaded }, isOpen, responses }: Described,
  { baseUrl, ids, query, body, file, mediaType }: Example,
): string {
  const given = [
    ...ids.map(String),
    ...(body === undefined ? [] : [javascript(body)]),
    ...(file ? [`new Blob([readFileSync('${file.name}')], { type: '${mediaType}' })`] : []),
    ...(Object.keys(query).length === 0 ? [] : [javascript(query)]),
  ].join(', ')
  const call = `await client.${client}(${given})`
  const isFile = isDownload || isUploaded
  const name = returns === 'page' ? '{ data }' : isFile ? 'file' : 'data'
  const hasResult =
    isFile || responses.some(({ status, schema }) => status < 300 && schema !== undefined)
  const result = isDownload ? 'await file.text()' : isUploaded ? 'file.type, file.size' : 'data'
  return [
    ...(file ? ["import { readFileSync } from 'node:fs'"] : []),
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
  { operation: { method, isUploaded }, isOpen }: Described,
  { url, body, mediaType, file }: Example,
): string {
  const isFile = typeof body === 'string'
  const headers = [
    ...(isOpen ? [] : ['        "Authorization": "Bearer " + os.environ["API_KEY"],']),
    ...((body ?? file) === undefined ? [] : [`        "Content-Type": "${mediaType}",`]),
  ]
  const dataOf = () => {
    if (file) return `open("${file.name}", "rb").read()`
    return `${isFile ? json(body) : `json.dumps(${pythonValue(body)})`}.encode()`
  }
  const read = isUploaded
    ? '    open("photo", "wb").write(response.read())'
    : '    print(response.status, response.read().decode())'
  return [
    [...(body === undefined || isFile ? [] : ['json']), ...(isOpen ? [] : ['os']), 'urllib.request']
      .map((name) => `import ${name}`)
      .join('\n'),
    '',
    'request = urllib.request.Request(',
    `    "${url}",`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...((body ?? file) === undefined ? [] : [`    data=${dataOf()},`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    read,
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
