import { useQuery } from '@tanstack/react-query'
import { PetstoreApiError } from '../../../client/src/errors.ts'
import { noRetries } from './client.ts'
import { queryClient } from './query-client.ts'

/** A number of records; `tooLong` where counting them takes the service longer than it allows. */
export type Count = number | 'tooLong'

type CountOptions = typeof noRetries & { signal: AbortSignal; count: true }

/** Asks a list for the number of its records. */
type Counting = (options: CountOptions) => PromiseLike<{ total?: number | undefined }>

/** Counting time grows with the store, so a count is repeated after 100 times its duration. */
const restFactor = 100
export const countEveryMs = { min: 20_000, max: 10 * 60_000 }

/** What was counted, and how long that took. */
type Counted<T> = { value: T; tookMs: number; hasTooLong: boolean }

/** How many records there are; undefined until they are counted. Pauses while the window is hidden. */
export function useCount(name: readonly unknown[], counting: Counting, isOn = true) {
  const query = useQuery({
    ...countsOptions<Count>(countEveryMs.min),
    queryKey: ['count', ...name],
    enabled: isOn,
    queryFn: ({ signal }) =>
      timed((measure) => measure(() => countOf(counting, signal)), isTooLong),
  })
  return { ...query, data: query.data?.value }
}

/** Counts again what was changed here, unless that takes too long. */
export function countAgain(): void {
  void queryClient.invalidateQueries({
    queryKey: ['count'],
    predicate: ({ state }) => (state.data as Counted<unknown> | undefined)?.hasTooLong !== true,
  })
}

/** How counts are repeated: at most every `minMs`. One that takes too long is left out for a while. */
export function countsOptions<T>(minMs: number) {
  const waitOf = (data: Counted<T> | undefined) =>
    data?.hasTooLong ? countEveryMs.max : waitMs(data?.tookMs ?? 0, minMs)
  return {
    refetchInterval: ({ state }: { state: { data: Counted<T> | undefined } }) => waitOf(state.data),
    staleTime: ({ state }: { state: { data: Counted<T> | undefined } }) => waitOf(state.data),
    gcTime: countEveryMs.max,
    structuralSharing: false,
    // It would take too long again.
    retry: false,
  }
}

/** The time from one count until the next. */
function waitMs(tookMs: number, minMs: number): number {
  return Math.min(countEveryMs.max, Math.max(minMs, tookMs * restFactor))
}

/** Measures a count, of several that make one result. */
type Measure = <T>(count: () => Promise<T>) => Promise<T>

/** A result, with the time that its counts took: not that of the pauses between them. */
export async function timed<T>(
  run: (measure: Measure) => Promise<T>,
  hasTooLong: (value: T) => boolean,
): Promise<Counted<T>> {
  let tookMs = 0
  const value = await run(async (count) => {
    const startMs = performance.now()
    try {
      return await count()
    } finally {
      tookMs += performance.now() - startMs
    }
  })
  return { value, tookMs, hasTooLong: hasTooLong(value) }
}

function isTooLong(count: Count): boolean {
  return count === 'tooLong'
}

/** What a list counts, or that it takes too long. */
export async function countOf(counting: Counting, signal: AbortSignal): Promise<Count> {
  try {
    return (await counting({ ...noRetries, signal, count: true })).total ?? 0
  } catch (error) {
    if (error instanceof PetstoreApiError && error.status === 503) return 'tooLong'
    throw error
  }
}
