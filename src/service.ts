import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { Clock } from './context.ts'
import { inMemory } from './db/sqlite/connection.ts'
import { ExitError } from './exit.ts'
import { type FirstKey, provideFirstKey } from './first-key.ts'

/** A stop takes no longer than this: requests still running then are cut off. */
const stopMaxMs = 8_000
const idleCheckEveryMs = 50

export type ServiceOptions = {
  config: Config
  clock: Clock
  firstId?: bigint | undefined
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

/** Opens the store, provides its first key and listens. Throws ExitError. */
export async function startService({
  config,
  clock,
  firstId,
  isQuiet,
  onLost,
}: ServiceOptions): Promise<RunningService> {
  const app = await createApp({
    config,
    clock,
    firstId,
    onLost,
    ...(isQuiet ? { logStream: process.stderr } : {}),
  })
  try {
    const firstKey = await provideFirstKey(app.context, config, {
      isEphemeral: config.database.path === inMemory,
      isData: isQuiet,
    })
    if (firstKey) await app.keys.refresh()
    await listen(app.server, config)
    return { baseUrl: app.baseUrl(), firstKey, stop: () => stop(app) }
  } catch (error) {
    await app.close()
    throw error
  }
}

type App = Awaited<ReturnType<typeof createApp>>

async function listen(server: App['server'], { host, port }: Config) {
  try {
    await server.listen({ host, port })
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
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
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
    await close()
  } finally {
    clearInterval(idle)
    clearTimeout(late)
  }
}
