import { type ChildProcess, fork } from 'node:child_process'
import { environmentOfProcess } from '../../config/config.ts'
import type { ReadMetrics } from '../../telemetry/metrics/merge-metrics.ts'
import { timers } from '../../timers.ts'
import type { Announced, FromProcess, ToProcess } from './messages.ts'

/** The program as it is on disk now, and its arguments. */
export type Program = { path: string; args: readonly string[] }

type Exit = { code: number | null; signal: NodeJS.Signals | null }

/** A process of a supervisor. */
export type SupervisedProcess = ReturnType<typeof startProcess>

/** A scrape leaves out a process that does not respond for so long. */
const metricsMaxMs = 3_000

/** Starts the program as a process that listens on a socket of its supervisor. */
export function startProcess({ path, args }: Program, number: number, fd: number) {
  const child: ChildProcess = fork(path, args, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', fd],
    env: environmentOfProcess(number),
    // JSON has no NaN, which metrics have.
    serialization: 'advanced',
  })
  const ready = Promise.withResolvers<Announced | undefined>()
  const exited = Promise.withResolvers<Exit>()
  let isReady = false
  let reading: PromiseWithResolvers<ReadMetrics | undefined> | undefined

  const end = (exit: Exit) => {
    isReady = false
    ready.resolve(undefined)
    reading?.resolve(undefined)
    exited.resolve(exit)
  }
  child.once('exit', (code, signal) => end({ code, signal }))
  // A process that could not be started has no exit.
  child.on('error', () => child.pid === undefined && end({ code: null, signal: null }))
  child.on('message', (message: FromProcess) => {
    if ('metrics' in message) return reading?.resolve(message.metrics)
    isReady = true
    ready.resolve(message.ready)
  })

  const send = (message: ToProcess) => {
    if (child.connected) child.send(message, () => undefined)
  }
  return {
    number,
    pid: child.pid,
    /** What it announces once it serves; undefined where it ended before. */
    ready: ready.promise,
    isReady: () => isReady,
    exited: exited.promise,
    send,
    /** Undefined where they are not read in time. */
    readMetrics(): Promise<ReadMetrics | undefined> {
      reading = Promise.withResolvers()
      const late = timers.setTimeout(reading.resolve, metricsMaxMs, undefined)
      send('readMetrics')
      return reading.promise.finally(() => timers.clearTimeout(late))
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
