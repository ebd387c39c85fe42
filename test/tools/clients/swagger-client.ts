import { readFileSync } from 'node:fs'
import { runScenario } from '../scenario/scenario.ts'
import type { AnyCall, Client, ErrorBody, Reply } from '../scenario/shapes.ts'

type Response = { status: number; headers: Record<string, unknown>; body?: unknown; text?: string }
type Request = {
  operationId: string
  parameters: object
  requestBody?: unknown
  requestContentType?: string
}
type SwaggerClient = { execute(request: Request): Promise<Response> }
type Options = { spec: Document; authorizations: Record<string, string> }
type Document = { paths: Record<string, Record<string, { operationId?: string }>> }

// It has no types.
const packageName: string = 'swagger-client'
const { default: createSwaggerClient }: { default(options: Options): Promise<SwaggerClient> } =
  await import(packageName)
const spec: Document = JSON.parse(readFileSync('openapi.json', 'utf8'))

await runScenario({ createClient, refusesBadBodies: false, int64: 'rounded' })

/** Uses the first server that the document names. */
async function createClient(key: string): Promise<Client> {
  const client = await createSwaggerClient({ spec, authorizations: { bearerAuth: key } })
  const names = Object.values(spec.paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  )
  const entries = names.map((operationId) => [
    operationId,
    ({ path, query, header, body }: AnyCall = {}) => {
      const parameters = { ...path, ...query, ...header }
      const isFile = typeof body === 'string'
      const request = {
        ...{ operationId, parameters },
        ...(body !== undefined && { requestBody: body }),
        ...(isFile && { requestContentType: 'text/csv' }),
      }
      return reply(client.execute(request))
    },
  ])
  return Object.fromEntries(entries)
}

/** Every status but a success is thrown, 304 too. */
async function reply(sent: Promise<Response>): Promise<Reply<unknown>> {
  const { status, headers, text, ...parsed } = await sent.catch(
    (thrown: { response?: Response }) => {
      if (thrown.response === undefined) throw thrown
      return thrown.response
    },
  )
  const common = { status, headers: headersOf(headers) }
  // It parses CSV as YAML.
  const body = common.headers.get('content-type')?.startsWith('text/csv') ? text : parsed.body
  if (status >= 400) return { ...common, error: body as ErrorBody }
  return { ...common, ...(body !== undefined && { data: body }) }
}

function headersOf(headers: Record<string, unknown>): Headers {
  return new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
