import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { errorKindOf } from '../../contract/error-codes.ts'
import { isStreamed, type Operation } from '../../contract/operation.ts'
import type { Observer } from '../../http/observe.ts'

/** Half a millisecond to ten seconds. */
export const durationBuckets = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
]

/** The classes of statuses that a new process shows with 0, so that the first of them is an increase. */
const countedClasses = [2, 4, 5]

type Labels = { operation: string; status: string }

/** What is known of an operation before its requests; by class of status, the labels of its series. */
type Known = { labels: Labels[]; isTimed: boolean; deprecated: { operation: string } | undefined }

/** Counts and times requests. `sale` is the operation whose refusals are refused sales. */
export function observeRequests(
  registers: Registry[],
  { operations, sale }: { operations: readonly Operation[]; sale: Operation },
): Observer {
  const requests = new Counter({
    name: 'petstore_http_requests_total',
    help: 'Requests that have ended, by operation and class of status; none for what reached no operation, or got no response.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'petstore_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its response. Streams and files are not in it.',
    labelNames: ['operation', 'status'],
    buckets: durationBuckets,
    registers,
  })
  const inProgress = new Gauge({
    name: 'petstore_http_requests_in_progress',
    help: 'Requests that have begun and not ended, streams among them.',
    registers,
  })
  const deprecated = new Counter({
    name: 'petstore_deprecated_requests_total',
    help: 'Requests of operations that are deprecated.',
    labelNames: ['operation'],
    registers,
  })
  const refused = new Counter({
    name: 'petstore_sales_refused_total',
    help: 'Orders that were refused, by error code.',
    labelNames: ['code'],
    registers,
  })
  const refusals = new Map(
    sale.errors
      .filter((code) => errorKindOf(code).status === 409)
      .map((code) => [code as string, { code }]),
  )
  for (const labels of refusals.values()) refused.inc(labels, 0)
  const known = new Map<Operation | undefined, Known>()

  function know(operation: Operation | undefined): Known {
    let found = known.get(operation)
    if (!found) {
      found = describe(operation)
      known.set(operation, found)
    }
    return found
  }

  for (const operation of [undefined, ...operations]) {
    const { labels, deprecated: ofDeprecated } = know(operation)
    for (const status of countedClasses) requests.inc(labels[status] as Labels, 0)
    if (ofDeprecated) deprecated.inc(ofDeprecated, 0)
  }

  return {
    started: () => inProgress.inc(),
    ended({ operation, status = 0, error, timings }) {
      const { labels, isTimed, deprecated: ofDeprecated } = know(operation)
      const own = labels[Math.trunc(status / 100)] as Labels
      inProgress.dec()
      requests.inc(own)
      if (isTimed) durations.observe(own, timings.totalMs / 1_000)
      if (ofDeprecated) deprecated.inc(ofDeprecated)
      const refusal = error && operation === sale && refusals.get(error.code)
      if (refusal) refused.inc(refusal)
    },
  }
}

function describe(operation: Operation | undefined): Known {
  const name = operation?.operationId ?? 'none'
  const statuses = ['none', '1xx', '2xx', '3xx', '4xx', '5xx']
  return {
    labels: statuses.map((status) => ({ operation: name, status })),
    isTimed: operation === undefined || !isStreamed(operation),
    deprecated: operation?.lifecycle.deprecation && { operation: name },
  }
}
