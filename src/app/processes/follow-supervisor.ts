import type { RunningService } from '../service.ts'
import type { FromProcess, ToProcess } from './messages.ts'

type Stop = (options?: Parameters<RunningService['stop']>[0]) => void

/** Tells the supervisor of this process that it serves, and does what the supervisor says. */
export function followSupervisor(service: RunningService, stop: Stop): void {
  const { baseUrl, origin, firstKey, readMetrics } = service
  const send = (message: FromProcess) => process.send?.(message, () => undefined)
  let isStopping = false
  const stopFirst: Stop = (options) => {
    if (isStopping) return
    isStopping = true
    stop(options)
  }
  const actions: Record<ToProcess, () => unknown> = {
    retire: () => stopFirst({ isReplaced: true }),
    stop: () => stopFirst(),
    hurry: () => stop(),
    readMetrics: async () => send({ metrics: await readMetrics?.().catch(() => undefined) }),
  }
  process.on('message', (message: ToProcess) => void actions[message]())
  // kill -9 of the supervisor ends its processes.
  process.on('disconnect', () => stopFirst())
  if (!process.connected) stopFirst()
  send({ ready: { baseUrl, origin, firstKey } })
}

/** Signals are for the supervisor: a terminal and systemd send them to all processes of a group. */
export function ignoreSignals(): void {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)
}
