import { freshSeed } from '../harness/seeded-random.ts'

/** Runs a campaign with this seed, or a fresh one where it is empty, and prints it; this process exits with 1 where the campaign throws. */
export async function withSeed(
  campaign: string,
  given: string,
  run: (seed: number) => Promise<void>,
): Promise<void> {
  const seed = Number(given || freshSeed())
  const [name] = campaign.split(':')
  console.log(`${campaign}, --seed ${seed}`)
  try {
    await run(seed)
  } catch (error) {
    console.error(`${name}: FAILED with --seed ${seed}.`, error)
    process.exitCode = 1
  }
}
