import type { Config } from '../../config/config.ts'
import type { Log } from '../../telemetry/log.ts'
import { performance, sleep, timers } from '../../timers.ts'
import { bindSocket } from './bind-socket.ts'
import { type Program, type SupervisedProcess, startProcess } from './supervised-process.ts'

/** The pause before a process is started again doubles with each that ended soon after its start. */
const pauseMinMs = 100
const pauseMaxMs = 10_000
const soonMs = 10_000
/** How long after the drain a process may take to end; then it is killed. */
const endMaxMs = 15_000
/** How long a replacement may take to start, migrations included. */
const replacementMaxMs = 600_000

type Options = { config: Config; count: number; program: Program; log: Log }

/** The first process ended before it served; it has told why. */
export class StartFailed extends Error {
  readonly exitCode: number | null

  constructor(exitCode: number | null) {
    super('The first process ended before it served.')
    this.exitCode = exitCode
  }
}

/** Starts processes that serve on one socket, and keeps their number. Throws `ExitError`, `StartFailed`. */
export async function supervise({ config, count, program, log }: Options) {
  const socket = await bindSocket(config)
  const processes = new Set<SupervisedProcess>()
  /** Whether what replaces a process serves, once that is known. */
  const replaced = new WeakMap<SupervisedProcess, Promise<boolean>>()
  const stopping = new AbortController()
  let isReplacing = false
  let isReplacedAgain = false
  let isStopped = false

  function start(): SupervisedProcess {
    const started = startProcess(program, freeNumber(processes), socket.fd)
    processes.add(started)
    void started.exited.then(() => processes.delete(started))
    return started
  }

  /** Starts the process again whenever it ends, until it is replaced. */
  async function keep(first: SupervisedProcess) {
    let pauseMs = pauseMinMs
    for (let current = first; ; current = start()) {
      const startedMs = performance.now()
      const { code, signal } = await current.exited
      if (isStopped || (await replaced.get(current))) return
      if (performance.now() - startedMs > soonMs) pauseMs = pauseMinMs
      log.error(
        { process: current.number, processId: current.pid, exitCode: code, signal },
        `A process ended: ${signal ?? `exit code ${code}`}. Another one is started in ${pauseMs} ms.`,
      )
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      pauseMs = Math.min(pauseMs * 2, pauseMaxMs)
      if (isStopped) return
    }
  }

  async function replaceOne(old: SupervisedProcess): Promise<boolean> {
    const next = start()
    const late = timers.setTimeout(next.kill, replacementMaxMs)
    const serves = next.ready.then((announced) => announced !== undefined)
    replaced.set(old, serves)
    const isReplaced = await serves
    timers.clearTimeout(late)
    if (isStopped) return false
    const members = { process: old.number, processId: old.pid }
    if (!isReplaced) {
      replaced.delete(old)
      const { code, signal } = await next.exited
      log.error(
        { ...members, exitCode: code, signal },
        `The replacement of a process ended before it served: ${signal ?? `exit code ${code}`}. The processes go on as they are.`,
      )
      return false
    }
    void keep(next)
    await end(old, 'retire')
    log.info({ ...members, replacedBy: next.pid }, 'A process was replaced.')
    return true
  }

  async function end(ending: SupervisedProcess, message: 'retire' | 'stop') {
    ending.send(message)
    const late = timers.setTimeout(ending.kill, config.drainMs + endMaxMs)
    await ending.exited
    timers.clearTimeout(late)
  }

  const serving = () => [...processes].filter((process) => process.isReady())

  async function replaceAll() {
    for (const old of serving()) {
      // One that has ended meanwhile was started again, as the program is now.
      if (old.isReady() && !(await replaceOne(old))) return
    }
  }

  const first = start()
  const announced = await first.ready
  if (announced === undefined) {
    socket.close()
    throw new StartFailed((await first.exited).code)
  }
  void keep(first)
  const others = Array.from({ length: count - 1 }, start)
  for (const other of others) void keep(other)
  await Promise.all(others.map(({ ready }) => ready))
  const { metricsAddress } = config
  const served =
    metricsAddress &&
    (await import('./serve-merged-metrics.ts')
      .then(({ serveMergedMetrics }) => serveMergedMetrics(serving, metricsAddress, log))
      .catch(async (error) => {
        await stop()
        throw error
      }))

  async function stop() {
    const isSecond = isStopped
    isStopped = true
    stopping.abort()
    // The processes have it: the last one that closes it waits until no connection is being opened.
    if (!isSecond) socket.close()
    else for (const process of processes) process.send('hurry')
    await Promise.all([...processes].map((process) => end(process, 'stop')))
    served?.close()
  }

  return {
    ...announced,
    log,
    metricsUrl: served?.url,
    /** Replaces the processes one by one, each once the next one serves. Those that cannot be replaced go on. */
    async replace() {
      isReplacedAgain = true
      if (isReplacing) return
      isReplacing = true
      while (isReplacedAgain && !isStopped) {
        isReplacedAgain = false
        await replaceAll()
      }
      isReplacing = false
    },
    /** Stops all processes. A second call ends their drains immediately. */
    stop,
  }
}

/** The least that no process has: metrics are labelled with it, so there are few. */
function freeNumber(processes: Iterable<SupervisedProcess>): number {
  const taken = new Set([...processes].map(({ number }) => number))
  let number = 1
  while (taken.has(number)) number += 1
  return number
}
