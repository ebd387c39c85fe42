/**
 * npm run test:power -- [--cuts N] [--seed N]
 * Cuts the power of the database's disk under load and checks that nothing acknowledged is lost;
 * then proves that it can see a loss, on a copy of the service that syncs too little. Exits with 1
 * at the first violation, and when that copy loses nothing. Needs root and loop devices: elsewhere it
 * says NOT RUN and exits with 0.
 */
import { parseArgs } from 'node:util'
import { showProgress } from '../harness/progress.ts'
import { freshSeed } from '../harness/seeded-random.ts'
import { reasonAgainstPowerCuts } from '../processes/loop-disk.ts'
import { patchedCopy, synchronousNormal } from '../processes/patched-copy.ts'
import { PowerLoss, type PowerSummary, runPowerCuts } from '../processes/power-cuts.ts'

const { values } = parseArgs({ options: { cuts: { type: 'string' }, seed: { type: 'string' } } })
const cuts = Number(values.cuts ?? 25)
const seed = Number(values.seed ?? freshSeed())

const reason = reasonAgainstPowerCuts()
if (reason !== undefined) {
  console.log(`power: NOT RUN: ${reason}.`)
} else {
  console.log(`power: ${cuts} cuts, --seed ${seed}`)
  try {
    await loseNothing()
    await loseWithSynchronousNormal()
  } catch (error) {
    console.error(`power: FAILED with --seed ${seed}.`, error)
    process.exitCode = 1
  }
}

async function loseNothing(): Promise<void> {
  const done = await runPowerCuts({ cuts, seed, onCut: report })
  console.log(
    `power: passed. ${done.cuts} cuts, ${done.acknowledged} creates acknowledged, ` +
      `${done.unknown} of unknown outcome, none lost.`,
  )
}

async function loseWithSynchronousNormal(): Promise<void> {
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
