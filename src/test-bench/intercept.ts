import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCodes } from '../contract/error-codes.ts'
import { maskKeys } from '../contract/key-text.ts'
import type { Operation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { preferenceValues } from '../http/request/preferences.ts'
import { performance } from '../timers.ts'
import {
  applyBefore,
  type Exchange,
  forceError,
  pause,
  replaceAfter,
  sendWith,
} from './apply-faults.ts'
import type { DeclaredErrors, Fault, Faults } from './faults.ts'
import type { Journal, JournalEntry } from './journal.ts'

type Interception = {
  declaredErrors: DeclaredErrors
  faults: Faults
  journal: Journal
  /** Whether `handling=strict` is preferred unless a request says otherwise. */
  isStrict: boolean
  now(): number
  stopping: AbortSignal
}

const bodyMaxCharacters = 65_536
const waitMaxSeconds = 600

/** A request in progress. */
type RequestInProgress = { entry: JournalEntry; startMs: number; fault?: Fault | undefined }

/** Records the requests below `/v1`, and applies the added faults and those that `Prefer` asks for. */
export function intercept(app: FastifyInstance, interception: Interception): void {
  const { declaredErrors, faults, journal, isStrict, now, stopping } = interception
  const inProgress = new WeakMap<object, RequestInProgress>()

  const begin = (request: FastifyRequest): RequestInProgress => ({
    entry: journal.add(entryOf(request, now())),
    startMs: performance.now(),
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!isRecorded(request)) return
    const current = begin(request)
    inProgress.set(request, current)
    if (isStrict) preferStrict(request)
    const fault = faults.find({ operation: current.entry.operation, method: request.method })
    if (fault === undefined) return
    current.fault = fault
    current.entry.fault = fault.id
    if (await applyBefore(fault, { request, reply, stopping })) return reply
  })

  // After the check of the key: a request without one is not kept waiting.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const { operation } = request.routeOptions.config
    const isObeyed = request.headers.prefer !== undefined && isRecorded(request)
    if (!isObeyed || operation === undefined || operation.scope === 'public')
      return done(null, payload)
    obeyPrefer({ request, reply, stopping }, operation).then(
      () => done(null, payload),
      (error) => done(error),
    )
  })

  /** `Prefer: wait=2` (seconds) and `Prefer: code=503`, or an error code (RFC 7240). */
  async function obeyPrefer(exchange: Exchange, operation: Operation) {
    const preferences = preferenceValues(String(exchange.request.headers.prefer))
    const wait = Number(preferences.get('wait'))
    if (wait > 0) await pause(Math.min(wait, waitMaxSeconds) * 1_000, stopping)
    const wanted = preferences.get('code')
    if (wanted === undefined || wanted.startsWith('2')) return
    const { operationId } = operation
    const declared = [...(declaredErrors.get(operationId) ?? [])]
    const code = declared.find((one) => one === wanted || String(errorCodes[one].status) === wanted)
    if (code !== undefined) throw forceError(code, exchange)
    throw new ServiceError(
      'invalid_parameter',
      `${operationId} declares no error ${JSON.stringify(wanted)}, which Prefer asks for.`,
    )
  }

  app.addHook('onSend', async (request, reply, sent) => {
    const payload = sent as string | Buffer | null | undefined
    if (!isRecorded(request)) return payload
    // An unknown path or method is refused before the `onRequest` hook above runs.
    const current = inProgress.get(request) ?? begin(request)
    const { entry } = current
    const match = { operation: entry.operation, method: request.method, status: reply.statusCode }
    const fault = current.fault ?? faults.find(match)
    if (fault === undefined) {
      complete(current, reply, payload)
      return payload
    }
    entry.fault = fault.id
    const exchange = { request, reply, stopping }
    const replaced = await replaceAfter(fault, exchange, payload)
    complete(current, reply, replaced)
    return sendWith(fault, exchange, replaced)
  })

  function complete({ entry, startMs }: RequestInProgress, reply: FastifyReply, payload: unknown) {
    journal.complete(entry, {
      status: reply.statusCode,
      code: codeIn(payload, reply.statusCode),
      isDeprecated: reply.hasHeader('deprecation'),
      ignored: ignoredIn(reply),
      durationMs: Math.round((performance.now() - startMs) * 10) / 10,
      body: textOf(reply.request),
    })
  }
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
  { id, method, url, headers, routeOptions }: FastifyRequest,
  nowMs: number,
): Omit<JournalEntry, 'number'> {
  const { operation } = routeOptions.config
  const { authorization: _, ...others } = headers
  const shown: Record<string, string> = {}
  for (const name in others) shown[maskKeys(name)] = maskKeys(String(others[name]))
  return {
    at: new Date(nowMs).toISOString(),
    requestId: id,
    method,
    target: maskKeys(url),
    ...(operation ? { operation: operation.operationId } : {}),
    headers: shown,
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

function textOf({ body }: FastifyRequest): string | undefined {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined
  return maskKeys(body.toString('utf8').slice(0, bodyMaxCharacters))
}
