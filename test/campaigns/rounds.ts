/**
 * npm run test:chaos | test:damage | test:power -- [ROUNDS] [--only PART] [--seed N]
 * Rounds of faults at random moments: nothing acknowledged is lost, and what is damaged is refused. Exits with 1 at the first
 * violation; says NOT RUN where something is missing on this machine.
 */
import { runOrderKillRounds } from '../consistency/orders/kill-rounds.ts'
import { runDamageRounds } from '../harness/damage-rounds.ts'
import { showProgress } from '../harness/progress.ts'
import type { Rounds } from '../harness/run-rounds.ts'
import { simulateCuts } from '../harness/simulated-cuts.ts'
import { runKillRounds } from '../processes/kill-rounds.ts'
import { reasonAgainstPowerCuts } from '../processes/loop-disk.ts'
import { patchedCopy, synchronousNormal } from '../processes/patched-copy.ts'
import { PowerLoss, runPowerCuts } from '../processes/power-cuts.ts'
import { EndedEarly } from '../processes/process.ts'
import { reasonAgainstRecording, recordStore } from '../processes/record-writes.ts'
import { readOptions } from './options.ts'
import { withSeed } from './with-seed.ts'

type Part = {
  /** How many, unless the command says so. */
  rounds: number
  /** What this machine lacks. */
  missing?(): string | undefined
  /** Returns what happened; throws at the first violation. */
  run(rounds: Rounds): Promise<object>
}

const campaigns: Record<string, Record<string, Part>> = {
  /** SIGKILL at any moment, starts included: no start is refused, nothing is lost, no pet is promised twice. */
  chaos: {
    creates: { rounds: 500, run: runKillRounds },
    orders: { rounds: 500, run: runOrderKillRounds },
  },
  /** Overwritten bytes of a store's file, which is served. */
  damage: {
    files: { rounds: 1_000, run: runDamageRounds },
  },
  /** Cuts simulated from a recording, then of a separate disk; those of a copy that syncs too little must be seen to lose. */
  power: {
    simulated: {
      rounds: 10_000,
      missing: reasonAgainstRecording,
      run: (rounds) => simulateCuts(recordStore(), rounds),
    },
    disk: { rounds: 25, missing: reasonAgainstPowerCuts, run: runPowerCuts },
    'synchronous=NORMAL': { rounds: 25, missing: reasonAgainstPowerCuts, run: loseCommits },
  },
}

const options = readOptions({ only: '', seed: '' }, { allowPositionals: true })
const [campaign = '', count] = options.positionals
const parts = campaigns[campaign] ?? {}
const names = Object.keys(parts).filter((name) => name === (options.only || name))
if (names.length === 0)
  throw new Error(`${campaign} has no part ${options.only}: name one of ${Object.keys(parts)}.`)
for (const name of names) {
  const { rounds: usual, missing, run } = parts[name] as Part
  const title = `${campaign}, ${name}`
  const reason = missing?.()
  if (reason !== undefined) {
    console.log(`${title}: NOT RUN: ${reason}.`)
    continue
  }
  const rounds = Number(count ?? usual)
  await withSeed(`${title}: ${rounds} rounds`, options.seed, async (seed) => {
    const onRound = (soFar: object) => showProgress(`${title}: ${JSON.stringify(soFar)}`)
    console.log(`${title}: passed. ${JSON.stringify(await run({ rounds, seed, onRound }))}`)
  })
}
process.exit()

async function loseCommits(rounds: Rounds) {
  using copy = patchedCopy(synchronousNormal)
  try {
    const { rounds: cuts } = await runPowerCuts({ ...rounds, root: copy.root })
    throw new Error(`Nothing was lost in ${cuts} cuts: this proves nothing.`)
  } catch (error) {
    // A start may notice the loss by the witness.
    if (!(error instanceof PowerLoss || error instanceof EndedEarly)) throw error
    return { seen: error.message.split('\n', 1)[0] }
  }
}
