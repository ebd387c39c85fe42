import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Category } from '../../../client/src/generated/records.ts'
import { type PetStatus, petStatuses } from '../../../src/contract/pet-status.ts'
import { client } from '../api/client.ts'
import { type Count, countOf, countsOptions, timed } from '../api/counts.ts'
import { pause, untilVisible } from '../base/pause.ts'

/** Time for others between two counts. */
const restMs = 50
/** Few pets change their category. */
const pollCategoriesEveryMs = 5 * 60_000

type PetCounts = { all: Count; byStatus: { status: PetStatus; pets: Count }[] }

/** How many pets there are of each status, and in all. */
export function usePetCounts() {
  return useQuery({
    ...countsOptions<PetCounts>('pet'),
    queryKey: ['count', 'pets by status'],
    queryFn: ({ signal }) =>
      timed(
        async (measure) => {
          const count = (query: { status?: PetStatus }) =>
            measure(() =>
              countOf((options) => client.pets.list({ ...query, limit: 1 }, options), signal),
            )
          const all = await count({})
          const byStatus = await inTurn(petStatuses, signal, async (status) => ({
            status,
            pets: await count({ status }),
          }))
          return { all, byStatus }
        },
        ({ all, byStatus }) => all === 'tooLong' || byStatus.some(({ pets }) => pets === 'tooLong'),
      ),
  })
}

/** How many pets there are in each of these categories. `isOn`: somebody sees them. */
export function useCategoryCounts(categories: readonly Category[], isOn: boolean) {
  return useQuery({
    ...countsOptions<{ category: Category; pets: Count }[]>('pet', pollCategoriesEveryMs),
    queryKey: ['count', 'pets by category', categories.map(({ id }) => String(id))],
    enabled: isOn && categories.length > 0,
    // While more categories are counted.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      timed(
        (measure) =>
          inTurn(categories, signal, async (category) => {
            const query = { categoryId: category.id, limit: 1 }
            const pets = await measure(() =>
              countOf((options) => client.pets.list(query, options), signal),
            )
            return { category, pets }
          }),
        (counts) => counts.some(({ pets }) => pets === 'tooLong'),
      ),
  })
}

/** Does something for each value, one after the other, while the window is visible. */
async function inTurn<T, Result>(
  values: readonly T[],
  signal: AbortSignal,
  run: (value: T) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const value of values) {
    await pause(restMs, signal)
    await untilVisible(signal)
    results.push(await run(value))
  }
  return results
}
