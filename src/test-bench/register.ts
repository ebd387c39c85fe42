import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/service-error.ts'
import type * as Type from '../contract/type.ts'
import { digestOf } from '../features/keys/key-format.ts'
import { challengeFor } from '../http/authenticate.ts'
import { bodyType, checkMediaType, compileBody } from '../http/request/body.ts'
import type { QueryParameters } from '../http/request/query-string.ts'
import { type Control, controls } from './control.ts'
import { assembleTestBenchDocument } from './document.ts'
import { fixtureSizeMaxBytes } from './fixture-size.ts'
import type { TestBench } from './test-bench.ts'

const prefix = '/test-bench'
const jsonType = 'application/json; charset=utf-8'

/** The digest of the key that the start printed, once it is known. */
export type ControlKey = { digest: Buffer | undefined }

/**
 * Registers the control interface below `/test-bench`. It takes only the key that the start printed. It sends no CORS
 * headers, so pages of other origins cannot use it.
 */
export function registerTestBench(
  app: FastifyInstance,
  bench: TestBench,
  key: ControlKey,
  baseUrl: () => string,
): void {
  app.get(`${prefix}/openapi.json`, (_request, reply) =>
    reply.send(assembleTestBenchDocument(controls, baseUrl().replace(/\/v1$/, prefix))),
  )
  // A single route, since registering one for each operation would slow the start of a store.
  app.all(`${prefix}/*`, {
    // A fixture may be larger than the body of other requests.
    bodyLimit: fixtureSizeMaxBytes,
    onRequest(request, reply, done) {
      // As below /v1: the path, the method, then the key.
      const controls = controlsAt(request)
      if (request.method === 'OPTIONS') {
        reply.code(204).header('allow', methodsOf(controls)).send()
        return
      }
      requireMethod(request, controls)
      requireKey(request, key)
      checkMediaType(request.headers)
      request.headers['content-type'] = bodyType
      done()
    },
    handler: async (request, reply) => {
      const control = requireMethod(request, controlsAt(request))
      const bytes = request.body as Buffer | undefined
      const result = await control.handle(bench, {
        body: bytes && bytes.length > 0 ? parse(control, bytes) : {},
        name: segmentsOf(request)[2] ?? '',
        query: textsOf(request.query as QueryParameters),
      })
      if (result === undefined) return reply.code(204).send()
      return reply.type(jsonType).send(JSON.stringify(result))
    },
  })
}

/** Those of all methods at this path. Throws `not_found`. */
function controlsAt(request: FastifyRequest): Control[] {
  const segments = segmentsOf(request)
  const found = controls.filter(({ path }) => {
    const own = path.split('/')
    return (
      own.length === segments.length &&
      own.every((segment, index) => segment.startsWith('{') || segment === segments[index])
    )
  })
  if (found.length > 0) return found
  throw new ServiceError(
    'not_found',
    `There is no resource at this path. GET ${prefix}/openapi.json lists all paths.`,
  )
}

function segmentsOf({ params }: FastifyRequest): string[] {
  return `/${(params as { '*': string })['*']}`.split('/')
}

function methodsOf(found: readonly Control[]): string {
  return [...found.map(({ method }) => method), 'OPTIONS'].sort().join(', ')
}

/** Throws `method_not_allowed`. */
function requireMethod({ method }: FastifyRequest, found: readonly Control[]): Control {
  const control = found.find((one) => one.method === method)
  if (control) return control
  const allow = methodsOf(found)
  throw new ServiceError(
    'method_not_allowed',
    `${method} is not allowed here. Allowed methods: ${allow}.`,
    { headers: { allow } },
  )
}

const parsers = new Map<Control, ReturnType<typeof compileBody>>()

/** Throws `invalid_json`, `invalid_body`. */
function parse(control: Control, bytes: Buffer): unknown {
  if (control.body === undefined) return undefined
  const parser = parsers.get(control) ?? compileBody(control.body as Type.TSchema)
  parsers.set(control, parser)
  return parser(bytes, { isStrict: true }).body
}

/** The first value of each parameter. */
function textsOf(query: QueryParameters): Record<string, string> {
  return Object.fromEntries([...query].map(([name, values]) => [name, String([values].flat()[0])]))
}

const wrongKey = 'The test bench takes only the key that the start of this store printed.'

/** Throws `missing_api_key`, `invalid_api_key`. */
function requireKey({ headers }: FastifyRequest, { digest }: ControlKey) {
  const [, sent] = /^bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  if (sent === undefined)
    throw new ServiceError(
      'missing_api_key',
      'The test bench requires the key that the start of this store printed: Authorization: Bearer <API_KEY>.',
      { headers: challengeFor('missing_api_key', '') },
    )
  if (digest === undefined || !timingSafeEqual(digestOf(sent), digest))
    throw new ServiceError('invalid_api_key', wrongKey, {
      headers: challengeFor('invalid_api_key', wrongKey),
    })
}
