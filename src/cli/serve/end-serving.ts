import { writeSync } from 'node:fs'
import { exitCodes } from '../../config/exit-error.ts'
import type { Log } from '../../telemetry/log.ts'
import type { LogOutput } from '../../telemetry/log-output.ts'
import { tell } from '../text/print.ts'

/** What `serve` logs to. */
export function logStreamOf({ json }: { json: boolean }) {
  return json ? process.stderr : process.stdout
}

/** Returns a function that stops a service and then calls `end` with the exit code; a second call ends the drain at once. */
export function stopperOf<Options>(
  service: { stop(options?: Options): Promise<void> },
  end: (exitCode: number) => void,
): (options?: Options) => Promise<void> {
  return async (options) => {
    try {
      await service.stop(options)
      end(0)
    } catch (error) {
      tell(`The service did not stop cleanly: ${error instanceof Error ? error.stack : error}`)
      end(exitCodes.unexpected)
    }
  }
}

/** Stops on SIGTERM, on SIGINT, and when the process that started this one ends. */
export function stopOnSignal(
  stop: () => Promise<void>,
  { 'until-stdin-ends': endsWithStdin }: { 'until-stdin-ends': boolean },
): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop())
  process.on('disconnect', () => stop())
  // The launching process may have ended during the start.
  if (process.connected === false) void stop()
  if (!endsWithStdin) return
  // A pipe ends, and a socket may fail, when the last process that can write to it has ended.
  for (const event of ['end', 'error'] as const) process.stdin.once(event, () => stop())
  process.stdin.resume()
}

/** Ends the process once its log is written; says so where the start was announced. */
export async function endServing(
  exitCode: number,
  output: LogOutput,
  announced?: { asJson: boolean; log: Log },
): Promise<never> {
  const hadBanner = announced && !announced.asJson && process.stdout.isTTY
  if (!hadBanner) announced?.log.info({ exitCode }, 'The pet store is closed.')
  await output.close()
  if (hadBanner && exitCode === 0) sayStopped(process.stdout)
  // Connections and threads must not keep the process alive.
  process.exit(exitCode)
}

/** The last line at a terminal. */
function sayStopped({ fd }: typeof process.stdout) {
  try {
    writeSync(fd, 'Stopped.\n')
  } catch {
    // The terminal is stopped, as after Ctrl+S; the end does not wait for it.
  }
}
