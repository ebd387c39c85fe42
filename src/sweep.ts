import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from './context.ts'
import { deleteExpiredKeys } from './db/once.ts'
import { expireOrders } from './orders/expire-orders.ts'

const sweepEveryMs = 1_000

/** Does what time has made due by now: expires orders, and forgets idempotency keys. */
export async function sweep(context: Context): Promise<void> {
  const now = context.clock()
  await expireOrders(context)
  while (await context.db.write(deleteExpiredKeys, now));
}

export type Sweeping = { stop(): Promise<void> }

/** Sweeps each second from now on. What fails is told, and tried again a second later. */
export function sweepRegularly(context: Context, warn: (error: unknown) => void): Sweeping {
  const stopping = new AbortController()

  async function run() {
    while (!stopping.signal.aborted) {
      await sleep(sweepEveryMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      if (!stopping.signal.aborted) await sweep(context).catch(warn)
    }
  }

  const running = run()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
