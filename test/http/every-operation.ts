import { contentOf, type Operation } from '../../src/contract/operation.ts'

/** A request of an operation with its example parameters, and a body as large as may be. */
export function requestOf(
  { method, path, query, examples, body, mediaTypes }: Operation,
  key: string,
) {
  // A key that is there would be revoked.
  const target = path.replace(/\{keyId\}/, '999').replace(/\{\w+\}/g, '1')
  const parameters = new URLSearchParams(query ? { limit: '100' } : {})
  const content = body && contentOf(body)
  const [type = 'application/json'] = content?.mediaTypes ?? []
  const bytes = content ? bodyOf(content, examples.body) : Buffer.alloc(0)
  const head = [
    `${method} /v1${target}?${parameters} HTTP/1.1`,
    'Host: petstore.test',
    `Authorization: Bearer ${key}`,
    `Accept: ${mediaTypes?.[0] ?? (path === '/events' ? 'text/event-stream' : 'application/json')}`,
    ...(content ? [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`] : []),
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

const jsonMaxBytes = 65_536
const otherMaxBytes = 500_000

const csv = `name,categoryId,notes\n${`Rex,7,${'x'.repeat(490)}\n`.repeat(1_000)}`

function bodyOf(
  { schema, mediaTypes, sizeMaxBytes }: ReturnType<typeof contentOf>,
  example: unknown,
) {
  if (mediaTypes.includes('text/csv')) return Buffer.from(csv)
  if (!schema) return Buffer.alloc(Math.min(sizeMaxBytes, otherMaxBytes), 'a')
  const json = JSON.stringify(example ?? {})
  if (!json.startsWith('{')) return Buffer.from(json)
  const ones = '1,'.repeat((jsonMaxBytes - json.length - 20) / 2)
  const comma = json === '{}' ? '' : ','
  return Buffer.from(`${json.slice(0, -1)}${comma}"ones":[${ones}1]}`)
}
