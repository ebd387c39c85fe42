import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, errorCodes } from '../contract/error-codes.ts'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { holdsKey, maskKeys } from '../features/keys/mask-keys.ts'
import { preferenceValues } from '../http/request/preferences.ts'
import { applyAfter, applyBefore, forcedError, pause } from './apply-faults.ts'
import type { Fault, Faults } from './faults.ts'
import type { Journal, JournalEntry } from './journal.ts'

type Interception = {
  /** By method and route, such as `GET /v1/pets/:petId`. */
  operationAt: ReadonlyMap<string, Operation>
  errorsOf(operationId: string): ReadonlySet<string> | undefined
  faults: Faults
  journal: Journal
  /** Whether `handling=strict` is preferred unless a request says otherwise. */
  isStrict: boolean
  now(): number
  stopping: AbortSignal
}

const waitMaxSeconds = 600
const bodyMaxCharacters = 65_536

/** A request in progress. */
type RequestInProgress = { entry: JournalEntry; startMs: number; fault?: Fault | undefined }

/** Records the requests below `/v1`, and applies the added faults and those that `Prefer` asks for. */
export function intercept(app: FastifyInstance, interception: Interception): void {
  const { operationAt, errorsOf, faults, journal, isStrict, now, stopping } = interception
  const inProgress = new WeakMap<object, RequestInProgress>()

  const operationOf = ({ method, routeOptions: { url } }: FastifyRequest) =>
    operationAt.get(`${method === 'HEAD' ? 'GET' : method} ${url}`)

  const begin = (request: FastifyRequest, operation: Operation | undefined): RequestInProgress => ({
    entry: journal.add(entryOf(request, operation, now())),
    startMs: performance.now(),
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!isRecorded(request)) return
    const operation = operationOf(request)
    const current = begin(request, operation)
    inProgress.set(request, current)
    if (isStrict) preferStrict(request)
    await obeyPrefer(request, reply, operation)
    const fault = faults.find({ operation: operation?.operationId, method: request.method })
    if (fault && (await apply(fault, request, reply, current))) return reply
  })

  async function apply(
    fault: Fault,
    request: FastifyRequest,
    reply: FastifyReply,
    current: RequestInProgress,
  ) {
    current.fault = fault
    current.entry.fault = fault.id
    return applyBefore(fault, request, reply, stopping)
  }

  /** `Prefer: wait=2` (seconds) and `Prefer: code=503`, or an error code (RFC 7240). */
  async function obeyPrefer(
    { headers }: FastifyRequest,
    reply: FastifyReply,
    operation: Operation | undefined,
  ) {
    if (headers.prefer === undefined) return
    const preferences = preferenceValues(headers.prefer)
    const wait = Number(preferences.get('wait'))
    if (wait > 0) await pause(Math.min(wait, waitMaxSeconds) * 1_000, stopping)
    const wanted = preferences.get('code')
    if (wanted === undefined || wanted.startsWith('2')) return
    const declared = [...(errorsOf(operation?.operationId ?? '') ?? [])] as ErrorCode[]
    const code = declared.find((one) => one === wanted || String(errorCodes[one].status) === wanted)
    if (code === undefined)
      throw new ServiceError(
        'invalid_parameter',
        `${operation?.operationId ?? 'This path'} declares no error ${JSON.stringify(wanted)}, which Prefer asks for.`,
      )
    reply.header('preference-applied', `code=${wanted}`)
    throw forcedError(code)
  }

  app.addHook('onSend', async (request, reply, payload) => {
    if (!isRecorded(request)) return payload
    // An unknown path or method is refused before the `onRequest` hook above runs.
    const current = inProgress.get(request) ?? begin(request, undefined)
    const status = reply.statusCode
    const { entry } = current
    const operation = entry.operation
    const fault = current.fault ?? faults.find({ operation, method: request.method, status })
    if (fault) entry.fault = fault.id
    journal.complete(entry, {
      status,
      code: codeIn(payload, status),
      isDeprecated: reply.hasHeader('deprecation'),
      ignored: ignoredIn(reply),
      durationMs: Math.round((performance.now() - current.startMs) * 10) / 10,
      body: textOf(request),
    })
    if (fault === undefined) return payload
    return applyAfter(fault, reply, payload as string | Buffer | null, stopping)
  })
}

/** Appends `handling=strict`. A request that sends its own `handling` keeps it: the first one counts. */
function preferStrict({ headers }: FastifyRequest) {
  const own = headers.prefer === undefined ? [] : [headers.prefer].flat()
  headers.prefer = [...own, 'handling=strict'].join(', ')
}

/** Whether a request is one below `/v1`, however it encodes its path. */
const isRecorded = ({ url, routeOptions }: FastifyRequest) =>
  /^\/v1(?:[/?]|$)/.test(routeOptions.url ?? url)

function entryOf(
  { id, method, url, headers }: FastifyRequest,
  operation: Operation | undefined,
  nowMs: number,
): Omit<JournalEntry, 'number'> {
  const { authorization, ...others } = headers
  return {
    at: new Date(nowMs).toISOString(),
    requestId: id,
    method,
    target: maskKeys(url, authorization),
    ...(operation ? { operation: operation.operationId } : {}),
    headers: Object.fromEntries(
      Object.entries(others).map(([name, value]) => [name, maskKeys(String(value), authorization)]),
    ),
    isDeprecated: false,
    ignored: [],
  }
}

function codeIn(payload: unknown, status: number): string | undefined {
  if (status < 400 || typeof payload !== 'string') return undefined
  return /"code":"(\w+)"/.exec(payload)?.[1]
}

/** The names that `Petstore-Ignored` lists. */
function ignoredIn(reply: FastifyReply): string[] {
  const names = reply.getHeader('petstore-ignored')
  return typeof names === 'string' ? names.split(', ') : []
}

/** The body. Only a key is masked, not what might be a piece of one: tests compare bodies. */
function textOf({ body, headers: { authorization } }: FastifyRequest): string | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined
  const text = body.toString('utf8').slice(0, bodyMaxCharacters)
  return holdsKey(text, authorization) ? maskKeys(text, authorization) : text
}
