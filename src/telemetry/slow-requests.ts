import { isStreamed } from '../contract/operation.ts'
import type { Observation, Observer } from '../http/observe.ts'
import { createUrlRedactor, type RequestLogOptions } from './access-log.ts'

/** What a request waits for, in words. */
const parts = [
  ['batchMs', 'for its batch'],
  ['commitMs', 'for the commit'],
  ['databaseMs', 'in the database'],
  ['clientMs', 'for the client'],
] as const

const written = (ms: number) => Math.round(ms).toLocaleString('en-GB')

/** Logs where the time of slow requests went. Streams are long by nature. */
export function createSlowRequestLog({
  config: { slowRequestMs },
  log,
  isShown,
}: RequestLogOptions): Observer {
  const redactUrl = createUrlRedactor(isShown)

  function logSlow(observed: Observation) {
    const { id, request, operation, totalMs, trace } = observed
    const waits = parts.map(([name, meaning]) => {
      return { name, meaning, ms: Math.round(observed[name]) }
    })
    const otherMs = Math.round(totalMs) - waits.reduce((sum, { ms }) => sum + ms, 0)
    const shares = [...waits, { meaning: 'in the service', ms: otherMs }]
      .filter(({ ms }) => ms > 0)
      .map(({ meaning, ms }) => `${written(ms)} ms ${meaning}`)
    const target = request ? `${request.method} ${JSON.parse(redactUrl(request.url ?? ''))}` : ''
    log.warn(
      {
        requestId: id,
        traceId: trace?.traceId,
        operation: operation?.operationId,
        durationMs: Math.round(totalMs),
        ...Object.fromEntries(waits.map(({ name, ms }) => [name, ms])),
      },
      `Slow request: ${target} took ${written(totalMs)} ms: ${shares.join(', ')}.`,
    )
  }

  return {
    ended(observed) {
      const { operation, totalMs } = observed
      if (totalMs >= slowRequestMs && !(operation && isStreamed(operation))) logSlow(observed)
    },
  }
}
