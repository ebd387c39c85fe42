import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Rounds, runRounds } from '../../harness/run-rounds.ts'
import type { SeededRandom } from '../../harness/seeded-random.ts'
import {
  EndedEarly,
  type Service,
  settingsFor,
  startService,
  whileRunning,
} from '../../processes/process.ts'
import { OrdersHistory } from './history.ts'
import { orderMeanwhile, requireSound, stockForLoad, untilOrdered } from './rounds.ts'

/** A database grows over this many rounds, then a new one takes its place. */
const roundsPerDatabase = 10
const loadMinMs = 30
const loadMaxMs = 400
/** Every other service lets orders expire: while they are sent, while it is down, and after the next start. */
const holdMs = 150

/**
 * Kills the service (SIGKILL) at a random moment under a load of orders, starts it on the same file, repeats all
 * requests that had a key, and checks the history; again and again. Throws at the first violation.
 */
export function runOrderKillRounds(rounds: Rounds) {
  return runRounds(rounds, killOneDatabase)
}

async function* killOneDatabase(random: SeededRandom) {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'petstore-orders-'))
  const start = (round: number) =>
    startService({
      env: {
        ...settingsFor(directory.path),
        ...(round % 2 === 0 ? { PETSTORE_ORDER_HOLD_MS: String(holdMs) } : {}),
      },
    })
  const history = new OrdersHistory()
  let service = await start(0)
  try {
    for (let round = 0; round < roundsPerDatabase; round++) {
      const startMs = performance.now()
      await killUnderLoad(service, history, random)
      service = await start(round + 1)
      const shop = { baseUrls: [service.baseUrl], key: service.key, history }
      await whileRunning(service, requireSound(shop, { sinceMs: startMs, repeatSinceMs: startMs }))
      yield history.count()
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
