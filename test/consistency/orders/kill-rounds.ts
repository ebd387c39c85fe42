import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SeededRandom } from '../../harness/seeded-random.ts'
import { EndedEarly, type Service, settingsFor, startService } from '../../processes/process.ts'
import { type Counts, OrdersHistory } from './history.ts'
import { orderMeanwhile, requireSound, stockForLoad, untilOrdered } from './rounds.ts'

/** A database grows over this many rounds, then a new one takes its place. */
const roundsPerDatabase = 10
const loadMinMs = 30
const loadMaxMs = 400
/** Every other service lets orders expire: while they are sent, while it is down, and after the next start. */
const holdMs = 150

type KillRounds = { rounds: number; seed: number; onRound?: (soFar: KillSummary) => void }

type KillSummary = Counts & { rounds: number }

/**
 * Kills the service (SIGKILL) at a random moment under a load of orders, starts it on the same file, repeats all
 * requests that had a key, and checks the history; again and again. Throws at the first violation.
 */
export async function runOrderKillRounds({
  rounds,
  seed,
  onRound,
}: KillRounds): Promise<KillSummary> {
  const random = new SeededRandom(seed)
  const summary = { rounds: 0, placed: 0, refused: 0, unknown: 0 }
  while (summary.rounds < rounds) {
    using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-orders-'))
    const count = Math.min(roundsPerDatabase, rounds - summary.rounds)
    await killOneDatabase(directory.path, { count, random, summary, onRound })
  }
  return summary
}

type Database = {
  count: number
  random: SeededRandom
  summary: KillSummary
  onRound: KillRounds['onRound']
}

async function killOneDatabase(
  directory: string,
  { count, random, summary, onRound }: Database,
): Promise<void> {
  const start = (round: number) =>
    startService({
      env: {
        ...settingsFor(directory),
        ...(round % 2 === 0 ? { PETSTORE_ORDER_HOLD_MS: String(holdMs) } : {}),
      },
    })
  const history = new OrdersHistory()
  const before = { ...summary }
  let service = await start(0)
  try {
    for (let round = 0; round < count; round++) {
      const startMs = performance.now()
      await killUnderLoad(service, history, random)
      service = await start(round + 1)
      const shop = { baseUrls: [service.baseUrl], key: service.key, history }
      await requireSound(shop, { sinceMs: startMs, repeatSinceMs: startMs })
      summary.rounds += 1
      const counts = history.count()
      for (const name of ['placed', 'refused', 'unknown'] as const) {
        summary[name] = before[name] + counts[name]
      }
      onRound?.(summary)
    }
  } finally {
    await service.kill()
  }
}

async function killUnderLoad(service: Service, history: OrdersHistory, random: SeededRandom) {
  const shop = { baseUrls: [service.baseUrl], key: service.key, history }
  await orderMeanwhile(shop, {
    petIds: await stockForLoad(shop),
    random,
    async disturb() {
      const startMs = performance.now()
      await sleep(random.between(loadMinMs, loadMaxMs))
      await untilOrdered(shop, startMs)
      const exit = await service.kill()
      // The service must have ended by our signal: one that ends by itself is a violation.
      if (exit.signal !== 'SIGKILL') throw new EndedEarly(exit)
    },
  })
}
