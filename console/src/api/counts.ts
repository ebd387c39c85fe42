import { useQuery } from '@tanstack/react-query'
import { PetstoreApiError } from '../../../client/src/index.ts'
import { following } from './following.ts'

/** A number of records; `tooLong` where counting them takes the service longer than it allows. */
export type Count = number | 'tooLong'

type CountOptions = { signal: AbortSignal; count: true }

/** Asks a list for the number of its records. */
export type Counting = (options: CountOptions) => PromiseLike<{ total?: number | undefined }>

/** Counting time grows with the store, so a count that takes longer than a request does is repeated less often. */
const restFactor = 20
const requestMs = 50
const restMinMs = 300
const restMaxMs = 10 * 60_000
/** The service gives up after two seconds. */
const tooLongRestMs = 40_000
const pollEveryMs = 20_000

/** What was counted, and how long that took. */
type Counted<T> = { value: T; tookMs: number; hasTooLong: boolean }

/** How many records of a kind match some filters; undefined until they are counted. Pauses while the window is hidden. */
export function useCount(
  kind: string,
  filters: readonly unknown[],
  counting: Counting,
  isOn = true,
) {
  const { data } = useQuery({
    ...countsOptions(kind, (count) => count(counting)),
    queryKey: ['count', kind, ...filters],
    enabled: isOn,
  })
  return data?.value
}

/** Options of a query that counts records of a kind. Counts that take too long are left out for a while. */
export function countsOptions<T>(
  kind: string,
  run: (count: (counting: Counting) => Promise<Count>) => Promise<T>,
  pollMs = pollEveryMs,
) {
  const { meta, refetchInterval } = following<Counted<T>>([kind], { pollMs, restMs })
  return {
    meta,
    // No event tells that a count would be quick enough by now.
    refetchInterval: (query: Parameters<typeof refetchInterval>[0]) =>
      query.state.data?.hasTooLong ? tooLongRestMs : refetchInterval(query),
    async queryFn({ signal }: { signal: AbortSignal }): Promise<Counted<T>> {
      const startMs = performance.now()
      let hasTooLong = false
      const value = await run(async (counting) => {
        const count = await countOf(counting, signal)
        hasTooLong ||= count === 'tooLong'
        return count
      })
      return { value, tookMs: performance.now() - startMs, hasTooLong }
    },
    staleTime: ({ state }: { state: { data: Counted<T> | undefined } }) =>
      Math.max(pollMs, restMs(state.data)),
    gcTime: restMaxMs,
    // It would take too long again.
    retry: false,
  }
}

function restMs(last: Counted<unknown> | undefined): number {
  if (last?.hasTooLong) return tooLongRestMs
  return Math.min(restMaxMs, Math.max(restMinMs, ((last?.tookMs ?? 0) - requestMs) * restFactor))
}

async function countOf(counting: Counting, signal: AbortSignal): Promise<Count> {
  try {
    return (await counting({ signal, count: true })).total ?? 0
  } catch (error) {
    if (error instanceof PetstoreApiError && error.status === 503) return 'tooLong'
    throw error
  }
}
