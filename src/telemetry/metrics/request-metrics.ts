import { errorKindOf } from '../../contract/error-codes.ts'
import { isStreamed, type Operation } from '../../contract/operation.ts'
import type { Observer } from '../../http/observe.ts'
import type { Instruments } from './instruments.ts'

/** The classes of statuses that a new process shows with 0, so that the first of them is an increase. */
const countedClasses = [2, 4, 5]

type Labels = { operation: string; status: string }

/** What is known of an operation before its requests; by class of status, the labels of its series. */
type Known = { labels: Labels[]; isTimed: boolean; deprecated: { operation: string } | undefined }

/** Counts and times requests. `sale` is the operation whose refusals are refused sales. */
export function observeRequests(
  { counter, gauge, histogram }: Instruments,
  { operations, sale }: { operations: readonly Operation[]; sale: Operation },
): Observer {
  const requests = counter(
    'http_requests_total',
    'Requests that have ended, by operation and class of status; none for what reached no operation, or got no response.',
    ...['operation', 'status'],
  )
  const durations = histogram(
    'http_request_duration_seconds',
    'From the headers of a request to the end of its response. Streams and files are not in it.',
    ['operation', 'status'],
  )
  const inProgress = gauge(
    'http_requests_in_progress',
    'Requests that have begun and not ended, streams among them.',
  )
  const deprecated = counter(
    'deprecated_requests_total',
    'Requests of operations that are deprecated.',
    'operation',
  )
  const refused = counter('sales_refused_total', 'Orders that were refused, by error code.', 'code')
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
    ended({ operation, status = 0, error, totalMs }) {
      const { labels, isTimed, deprecated: ofDeprecated } = know(operation)
      const own = labels[Math.trunc(status / 100)] as Labels
      inProgress.dec()
      requests.inc(own)
      if (isTimed) durations.observe(own, totalMs / 1_000)
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
