import { useQuery } from '@tanstack/react-query'
import { PetstoreApiError } from '../../../client/src/index.ts'
import { following } from './following.ts'

/** A number of records; `tooLong` where counting them takes the service longer than it allows. */
export type Count = number | 'tooLong'

/** Asks a list for the number of its records. */
export type Counting = (options: {
  signal: AbortSignal
  count: true
}) => PromiseLike<{ total?: number | undefined }>

type Counted = { counts: readonly Count[]; tookMs: number }

/** Counting time grows with the store: the longer it took, the later it is repeated. */
const restFactor = 10
const [restMinMs, restMaxMs] = [300, 60_000]
const pollMs = 20_000

/** Counts records of a kind, one list after the other. Pauses while the window is hidden. */
export function useCounts(kind: string, key: readonly unknown[], countings: readonly Counting[]) {
  const { meta, refetchInterval } = following<Counted>([kind], { pollMs, restMs })
  return useQuery<Counted, Error, readonly Count[]>({
    meta,
    queryKey: ['count', kind, ...key],
    // No event tells that a count would be quick enough by now.
    refetchInterval: (query) =>
      query.state.data?.counts.includes('tooLong')
        ? restMs(query.state.data)
        : refetchInterval(query),
    async queryFn({ signal }): Promise<Counted> {
      const startMs = performance.now()
      const counts: Count[] = []
      for (const counting of countings) counts.push(await countOf(counting, signal))
      return { counts, tookMs: performance.now() - startMs }
    },
    select: ({ counts }) => counts,
    staleTime: pollMs,
    // It would take too long again.
    retry: false,
  })
}

function restMs({ tookMs } = { tookMs: 0 }): number {
  return Math.min(restMaxMs, Math.max(restMinMs, tookMs * restFactor))
}

async function countOf(counting: Counting, signal: AbortSignal): Promise<Count> {
  try {
    return (await counting({ signal, count: true })).total ?? 0
  } catch (error) {
    if (error instanceof PetstoreApiError && error.status === 503) return 'tooLong'
    throw error
  }
}
