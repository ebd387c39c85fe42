import { setTimeout as sleep } from 'node:timers/promises'
import { type App, createApp } from './app.ts'
import type { Config } from './config.ts'
import { isInMemory } from './db/open.ts'
import { ExitError } from './exit.ts'
import { type FirstKey, provideFirstKey } from './first-key.ts'
import { seedStore } from './seed/seed-store.ts'

/** A stop takes no longer than this: requests still running then are cut off. */
const stopMaxMs = 8_000
const stopLimitMs = 9_500
const idleCheckEveryMs = 50

export type ServiceOptions = {
  config: Config
  /** What the store's clock shows at the start; the time of day when absent. */
  startMs?: number | undefined
  firstId?: bigint | undefined
  /** So many demo pets are there before the service is ready. */
  seedCount?: number | undefined
  /** Keeps log lines off standard output, for whoever reads it as data. */
  isQuiet: boolean
  onLost(reason: string): void
}

/** A service that listens. */
export type RunningService = {
  baseUrl: string
  firstKey: FirstKey | undefined
  /** Refuses new requests, finishes those that run, and lets go of the store; within 10 s. */
  stop(): Promise<void>
}

/** Opens the store, listens, and provides the first key of a new store. Throws ExitError. */
export async function startService({
  config,
  startMs,
  firstId,
  seedCount,
  isQuiet,
  onLost,
}: ServiceOptions): Promise<RunningService> {
  const app = await createApp({
    config,
    time: { startMs },
    firstId,
    onLost,
    ...(isQuiet ? { logStream: process.stderr } : {}),
  })
  try {
    if (seedCount !== undefined) await seedStore(app.context, { count: seedCount })
    // What became due while no process served it is done before the first request.
    await app.startJobs()
    // Before the first key: a start that fails on its address must not use up a key that is shown once.
    await listen(app, config)
    const firstKey = await provideFirstKey(app.context, config, {
      isEphemeral: isInMemory(config.database),
      isData: isQuiet,
    })
    if (firstKey) await app.keys.refresh()
    return { baseUrl: app.baseUrl(), firstKey, stop: () => stop(app) }
  } catch (error) {
    await app.close()
    throw error
  }
}

const isNoAddressHere = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'EINVAL',
  'ENOTFOUND',
])

async function listen({ server, log }: App, { host, port }: Config) {
  try {
    log.info(`Server listening at ${await server.listen({ host, port })}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new ExitError(
        'addressInUse',
        `Port ${port} of ${host} is in use. Choose another with PETSTORE_PORT.`,
        error,
      )
    if (code === 'EACCES')
      throw new ExitError(
        'noPermission',
        `Port ${port} of ${host} may not be used by this user.`,
        error,
      )
    if (isNoAddressHere.has(code ?? ''))
      throw new ExitError(
        'configuration',
        `PETSTORE_HOST is ${host}, which is no address of this machine.`,
        error,
      )
    throw error
  }
}

async function stop({ server, close }: App): Promise<void> {
  // A connection is idle as soon as its last answer is out, so we look again and again.
  const idle = setInterval(() => server.server.closeIdleConnections(), idleCheckEveryMs)
  const late = setTimeout(() => server.server.closeAllConnections(), stopMaxMs)
  try {
    // Whatever still waits for the database then, its process ends without it.
    await Promise.race([close(), sleep(stopLimitMs, undefined, { ref: false })])
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}
