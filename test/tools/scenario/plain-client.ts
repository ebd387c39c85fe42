import type { AnyCall, Client, Reply } from './shapes.ts'

type Document = { paths: Record<string, Record<string, { operationId?: string }>> }

/**
 * A client that sends what it is given, using only the document's paths. `onAnswer` gets each response with the
 * operation that was called.
 */
export function createPlainClient(
  document: Document,
  { baseUrl, key, onAnswer }: { baseUrl: string; key: string; onAnswer: OnAnswer },
): Client {
  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, { operationId }]) =>
      operationId === undefined ? [] : [{ operationId, method, template }],
    ),
  )
  const entries = operations.map(({ operationId, method, template }) => [
    operationId,
    async (call: AnyCall = {}) => {
      const init = initOf(method, key, call)
      const response = await fetch(`${baseUrl}${pathOf(template, call)}`, init)
      onAnswer(operationId, response)
      return reply(response)
    },
  ])
  return Object.fromEntries(entries)
}

type OnAnswer = (operationId: string, response: Response) => void

function initOf(method: string, key: string, { header, body }: AnyCall): RequestInit {
  const isFile = typeof body === 'string'
  const type =
    body === undefined ? {} : { 'content-type': isFile ? 'text/csv' : 'application/json' }
  return {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${key}`, ...type, ...header },
    ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }),
  }
}

function pathOf(template: string, { path = {}, query = {} }: AnyCall): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(path[name]))
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, String(one)]),
  )
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`
}

async function reply(response: Response): Promise<Reply<unknown>> {
  const { status, headers } = response
  const text = await response.text()
  if (text === '') return { status, headers }
  const isFile = headers.get('content-type')?.startsWith('text/csv')
  const body = isFile ? text : JSON.parse(text)
  return status >= 400 ? { status, headers, error: body } : { status, headers, data: body }
}
