/**
 * npm run test:power -- [--cuts N] [--simulated N] [--seed N]
 * Records what a service writes and syncs, and simulates cuts of the power, each followed by commands that only read: no start
 * may be refused, and nothing acknowledged lost. That needs strace. Then cuts the power of the database's disk under load, and
 * proves that it can see a loss, on a copy of the service that syncs too little. That needs root and loop devices. Exits with 1
 * at the first violation, and when that copy loses nothing; says NOT RUN where something is missing.
 */
import { parseArgs } from 'node:util'
import { showProgress } from '../harness/progress.ts'
import { SeededRandom } from '../harness/seeded-random.ts'
import { simulateCuts } from '../harness/simulated-cuts.ts'
import { reasonAgainstPowerCuts } from '../processes/loop-disk.ts'
import { patchedCopy, synchronousNormal } from '../processes/patched-copy.ts'
import { PowerLoss, type PowerSummary, runPowerCuts } from '../processes/power-cuts.ts'
import { reasonAgainstRecording, recordStore } from '../processes/record-writes.ts'
import { withSeed } from './with-seed.ts'

const { values } = parseArgs({
  options: { cuts: { type: 'string' }, simulated: { type: 'string' }, seed: { type: 'string' } },
})
const cuts = Number(values.cuts ?? 25)
const simulated = Number(values.simulated ?? 10_000)

const missing = reasonAgainstRecording()
const reason = reasonAgainstPowerCuts()
if (missing !== undefined) console.log(`power: simulation NOT RUN: ${missing}.`)
else await withSeed(`power: ${simulated} simulated cuts`, values.seed, simulate)
if (reason !== undefined) console.log(`power: NOT RUN: ${reason}.`)
else {
  await withSeed(`power: ${cuts} cuts`, values.seed, async (seed) => {
    await loseNothing(seed)
    await loseWithSynchronousNormal(seed)
  })
}

async function simulate(seed: number): Promise<void> {
  const done = await simulateCuts(recordStore(), {
    cuts: simulated,
    random: new SeededRandom(seed),
    onCut: (count) => showProgress(`simulated cut ${count} of ${simulated}`),
  })
  console.log(`power: simulated, no start refused and nothing lost: ${JSON.stringify(done)}`)
}

async function loseNothing(seed: number): Promise<void> {
  const done = await runPowerCuts({ cuts, seed, onCut: report })
  console.log(
    `power: passed. ${done.cuts} cuts, ${done.acknowledged} creates acknowledged, ` +
      `${done.unknown} of unknown outcome, none lost.`,
  )
}

async function loseWithSynchronousNormal(seed: number): Promise<void> {
  const copy = patchedCopy(synchronousNormal)
  try {
    const done = await runPowerCuts({ cuts, seed, root: copy.root, onCut: report })
    throw new Error(`synchronous=NORMAL lost nothing in ${done.cuts} cuts: this proves nothing`)
  } catch (error) {
    if (!(error instanceof PowerLoss)) throw error
    console.log(`power: synchronous=NORMAL is seen to lose: ${error.message.split('\n')[0]}`)
  } finally {
    copy.remove()
  }
}

function report({ cuts: done, acknowledged }: PowerSummary): void {
  showProgress(`cut ${done} of ${cuts}, ${acknowledged} acknowledged`)
}
