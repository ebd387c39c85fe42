import { existsSync, globSync, mkdtempDisposableSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkStore, endUnderCreates } from '../consistency/creates/creates.ts'
import { History } from '../consistency/creates/history.ts'
import { type Rounds, runRounds } from '../harness/run-rounds.ts'
import type { SeededRandom } from '../harness/seeded-random.ts'
import {
  EndedEarly,
  type Exit,
  launchService,
  type Service,
  settingsFor,
  startService,
  whileRunning,
} from './process.ts'

/** The rounds on one database before it is replaced. */
const roundsPerDatabase = 25
/** At most this many rounds on a new database are killed while starting, the first start included; the next one is not. */
const startKillsMax = 3
const startKillShareLater = 0.1
const loadMinMs = 30
const loadMaxMs = 600

/**
 * Kills the service (SIGKILL) at a random moment, while it starts or under a load of creates, starts it on the same
 * file and checks; again and again. Throws at the first violation, and when no create at all was acknowledged.
 */
export async function runKillRounds(rounds: Rounds) {
  const summary = await runRounds(rounds, killOneDatabase)
  if (summary.acknowledged === 0) throw new Error('no create was acknowledged: nothing is proved')
  return summary
}

async function* killOneDatabase(random: SeededRandom, roundsLeft: number) {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-kill-'))
  const settings = { env: settingsFor(directory.path) }
  const history = new History()
  const firstStartKills = Math.min(startKillsMax, roundsLeft - 1)
  let startKills = 0
  let startMs = 500
  let service: Service | undefined
  try {
    for (let round = 0; round < roundsPerDatabase; round++) {
      const isLater = round > firstStartKills
      const isStartKill =
        round < firstStartKills || (isLater && random.next() < startKillShareLater)
      if (isStartKill) {
        await service?.kill()
        await killWhileStarting(settings, random.between(0, startMs * 1.1))
        startKills += 1
      } else if (service !== undefined) {
        const afterMs = random.between(loadMinMs, loadMaxMs)
        requireKilled(await endUnderCreates(service, history, { afterMs, end: service.kill }))
      }
      const start = performance.now()
      service = await startService(settings)
      startMs = performance.now() - start
      await whileRunning(service, checkStore(service, history))
      if (history.count('refused') > 0) throw new Error('a valid create was refused')
      const [acknowledged, unknown] = [history.count('acknowledged'), history.count('unknown')]
      yield { startKills, acknowledged, unknown }
    }
  } finally {
    await service?.kill()
  }
}

async function killWhileStarting(
  settings: { env: Record<string, string> },
  afterMs: number,
): Promise<void> {
  const launch = launchService(settings)
  await Promise.race([sleep(afterMs), launch.exited])
  requireKilled(await launch.kill())
  placeFirstKey(settings.env.PETSTORE_FIRST_KEY_FILE ?? '')
}

/** Does what docs/operations/settings.md advises: where the file of the first key is missing, the newest draft may have the key. */
export function placeFirstKey(file: string): void {
  if (existsSync(file)) return
  const drafts = globSync(`${file}.*.new`).sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
  const newest = drafts.at(-1)
  if (newest !== undefined) renameSync(newest, file)
}

/** The service must have ended by SIGKILL: one that ends by itself is a violation. */
function requireKilled(exit: Exit): void {
  if (exit.signal !== 'SIGKILL') throw new EndedEarly(exit)
}
