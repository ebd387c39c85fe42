import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkStore, endUnderCreates } from '../consistency/creates/creates.ts'
import { type Create, History } from '../consistency/creates/history.ts'
import { type Rounds, runRounds } from '../harness/run-rounds.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import { LoopDisk } from './loop-disk.ts'
import { settingsFor, startService } from './process.ts'

/** The power cuts of one disk before it is replaced. */
const cutsPerDisk = 5
const loadMinMs = 20
const loadMaxMs = 500
/** The load continues for this long on the disk without power: nothing may be acknowledged there. */
const deadDiskMs = 60

/** Acknowledged data was lost in a power cut; the message names it. */
export class PowerLoss extends Error {}

/**
 * Cuts the power of the database's disk at a random moment under a load of creates, mounts it again,
 * starts the service and checks; again and again. Throws `PowerLoss` at the first violation, and a
 * plain error when no create at all was acknowledged. `root`: the source tree to run.
 */
export async function runPowerCuts({ root, ...rounds }: Rounds & { root?: string }) {
  const summary = await runRounds(rounds, (random) => wearOutDisk(random, root))
  if (summary.acknowledged === 0) throw new Error('no create was acknowledged: nothing is proved')
  return summary
}

async function* wearOutDisk(random: SeededRandom, root?: string) {
  using disk = new LoopDisk()
  const settings = { env: settingsFor(disk.directory), ...(root && { root }) }
  const history = new History()
  let service = await startService(settings)
  try {
    for (let cuts = 0; cuts < cutsPerDisk; cuts++) {
      const cut = cuts % 2 === 0 ? cutBetweenCalls : cutAtAnyMoment
      const { pid, kill } = service
      const settle = await endUnderCreates(service, history, {
        afterMs: random.between(loadMinMs, loadMaxMs),
        end: () => cut(disk, pid, history).finally(kill),
      })
      settle()
      disk.unmount()
      disk.mount()
      checkFirstKey(disk, service.key)
      service = await startService(settings)
      await checkStore(service, history).catch((error) => {
        throw new PowerLoss(error.message)
      })
      yield { acknowledged: history.count('acknowledged'), unknown: history.count('unknown') }
    }
  } finally {
    await service.kill()
  }
}

/** Records the outcomes that remain once the load has ended. */
type Settle = () => void

/**
 * Stops the service between two system calls, cuts, and lets it continue: everything acknowledged counts, also what
 * it acknowledges on the disk without power.
 */
async function cutBetweenCalls(disk: LoopDisk, pid: number): Promise<Settle> {
  process.kill(pid, 'SIGSTOP')
  while (!isStopped(pid)) await sleep(1)
  disk.cutPower()
  process.kill(pid, 'SIGCONT')
  await sleep(deadDiskMs)
  return () => {}
}

/**
 * Cuts at any moment. An fsync during FS_IOC_SHUTDOWN can return 0 though its data is lost (seen with strace on Linux
 * 6.18; a real power cut leaves no process to be told), so what is acknowledged from then on counts as unknown.
 */
async function cutAtAnyMoment(disk: LoopDisk, _pid: number, history: History): Promise<Settle> {
  const isAcknowledged = ({ outcome }: Create) => outcome === 'acknowledged'
  const before = new Set([...history.creates.values()].filter(isAcknowledged))
  disk.cutPower()
  await sleep(deadDiskMs)
  return () => {
    for (const create of history.creates.values()) {
      if (before.has(create) || !isAcknowledged(create)) continue
      create.outcome = 'unknown'
      delete create.id
    }
  }
}

function isStopped(pid: number): boolean {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).every((task) =>
    / T [^)]*$/.test(readFileSync(join(tasks, task, 'stat'), 'utf8')),
  )
}

/** The first key was handed out when the service said that it was ready, so its file must survive too. */
function checkFirstKey(disk: LoopDisk, key: string): void {
  const file = join(disk.directory, 'first-key')
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'no file'
  if (found !== key) throw new PowerLoss('lost: the file of the first key is not what it was')
}
