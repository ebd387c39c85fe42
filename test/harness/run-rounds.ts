import { SeededRandom } from './seeded-random.ts'

/** How many rounds of faults, and the seed of their moments. */
export type Rounds = { rounds: number; seed: number; onRound?(soFar: object): void }

/**
 * Runs rounds on one store after the other. `onStore` yields after each round what was counted on its store so far; it ends once the
 * store is worn out, and is ended after the last round. Returns the sums of all stores. Throws unless there is a round to run.
 */
export async function runRounds<Counted extends Record<string, number>>(
  { rounds, seed, onRound }: Rounds,
  onStore: (random: SeededRandom, roundsLeft: number) => AsyncIterable<Counted>,
): Promise<Counted & { rounds: number }> {
  if (!(rounds >= 1)) throw new Error(`${rounds} rounds prove nothing.`)
  const random = new SeededRandom(seed)
  let done = { rounds: 0 } as Counted & { rounds: number }
  while (done.rounds < rounds) {
    const before = done
    for await (const counted of onStore(random, rounds - done.rounds)) {
      const sums = Object.entries(counted).map(([name, count]) => [
        name,
        (before[name] ?? 0) + count,
      ])
      done = { ...Object.fromEntries(sums), rounds: done.rounds + 1 }
      onRound?.(done)
      if (done.rounds === rounds) break
    }
  }
  return done
}
