import { sleep as pause, performance, timers } from '../../timers.ts'

/** Spans that wait at most; further ones are dropped. */
const queueMax = 8_192
const requestMax = 512
const everyMs = 1_000
const timeoutMs = 10_000
const retryMaxMs = 30_000
const responseMaxBytes = 65_536
/** A failure is logged at most this often. */
const loggedEveryMs = 600_000

type ExporterOptions<Span> = {
  endpoint: string
  headers: Readonly<Record<string, string>>
  /** Returns the body of a request. */
  encode(spans: readonly Span[]): string
  /** How long spans wait for others. A stop waits twice as long for the last ones to be taken. */
  intervalMs?: number
  warn(sentence: string): void
}

type Failure = { reason: string; isTransient: boolean; retryAfterMs?: number }

export type Exporter<Span> = ReturnType<typeof createExporter<Span>>

/** Sends spans to a collector by OTLP over HTTP, one request at a time. */
export function createExporter<Span>({
  endpoint,
  headers,
  encode,
  intervalMs = everyMs,
  warn,
}: ExporterOptions<Span>) {
  const queue: Span[] = []
  const stopping = new AbortController()
  let dropped = 0
  let failures = 0
  let loggedMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  function flush(): Promise<void> {
    timers.clearTimeout(timer)
    timer = undefined
    sending ??= sendAll().finally(() => {
      sending = undefined
      if (queue.length > 0) schedule()
    })
    return sending
  }

  function schedule(ms = intervalMs) {
    if (stopping.signal.aborted) return
    timer ??= timers.setTimeout(flush, ms).unref()
  }

  async function sendAll() {
    while (queue.length > 0) {
      const spans = queue.splice(0, requestMax)
      const failure = await post(encode(spans), { endpoint, headers }, stopping.signal)
      if (!failure) {
        failures = 0
        continue
      }
      if (failure.isTransient) queue.unshift(...spans)
      else dropped += spans.length
      report(failure.reason)
      failures += 1
      schedule(failure.retryAfterMs ?? Math.min(retryMaxMs, intervalMs * 2 ** failures))
      return
    }
  }

  function report(reason: string) {
    if (performance.now() - loggedMs < loggedEveryMs || stopping.signal.aborted) return
    loggedMs = performance.now()
    const lost = dropped === 0 ? '' : ` ${dropped} spans were dropped so far.`
    warn(
      `Traces cannot be sent to ${new URL(endpoint).origin}: ${reason}.${lost} The next such line comes in ten minutes at the earliest.`,
    )
  }

  return {
    /** Adds spans that are sent together or dropped together; never waits. */
    add(spans: readonly Span[]): void {
      if (queue.length + spans.length > queueMax) {
        dropped += spans.length
        return
      }
      queue.push(...spans)
      if (queue.length >= requestMax && failures === 0) void flush()
      else schedule()
    },
    /** Sends what waits, for two seconds at most. */
    async stop(): Promise<void> {
      await Promise.race([flush(), pause(2 * intervalMs, undefined, { ref: false })])
      stopping.abort()
      timers.clearTimeout(timer)
    },
  }
}

/** Sends one request; returns why its spans were not taken. */
async function post(
  body: string,
  { endpoint, headers }: Pick<ExporterOptions<never>, 'endpoint' | 'headers'>,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await readStart(response)
    return response.ok ? findRejection(text) : failureOf(response)
  } catch (error) {
    const { name, message, cause } = error as Error
    const { code = message } = (cause ?? {}) as NodeJS.ErrnoException
    const reason = name === 'TimeoutError' ? `no response within ${timeoutMs / 1_000} s` : code
    return { reason, isTransient: true }
  }
}

/** The statuses after which the specification of OTLP wants a request repeated. */
const transient = [429, 502, 503, 504]

function failureOf({ status, headers }: Response): Failure {
  const after = headers.get('retry-after') ?? ''
  const isTransient = transient.includes(status)
  const reason = `the response has status ${status}`
  if (!isTransient || !/^\d{1,4}$/.test(after)) return { reason, isTransient }
  return { reason, isTransient, retryAfterMs: Math.max(1, Number(after)) * 1_000 }
}

/** Why a collector that responds with success has not taken all spans. */
function findRejection(text: string): Failure | undefined {
  try {
    const { partialSuccess } = JSON.parse(text || '{}')
    const rejected = Number(partialSuccess?.rejectedSpans ?? 0)
    if (!(rejected > 0)) return undefined
    return { reason: `${rejected} spans were rejected`, isTransient: false }
  } catch {
    return { reason: 'the response is not that of a collector', isTransient: false }
  }
}

async function readStart({ body }: Response): Promise<string> {
  let text = ''
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.length > responseMaxBytes) break
  }
  return text
}
