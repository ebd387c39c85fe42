import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { environmentOfBuild } from '../config/config.ts'
import type { Log } from '../telemetry/log.ts'

type Build = { builder: URL; logFile: URL }

const ownBuild: Build = {
  builder: new URL('../../bin/launch/build-console.js', import.meta.url),
  logFile: new URL('../../console/build.log', import.meta.url),
}

/**
 * Lets a process at the lowest priority build the console, unless there is a build of this version. The service does not
 * wait for it, and is not affected by its failure. It ends with this process.
 */
export function startConsoleBuild(
  log: Pick<Log, 'info' | 'warn'>,
  { builder, logFile }: Build = ownBuild,
): void {
  const failed = (reason: unknown) =>
    log.warn({ reason }, 'The console was not built; the API is served without it.')
  const output = openOutput(logFile)
  // The channel ends with this process, and the builder with the channel.
  const child = spawn(process.execPath, [fileURLToPath(builder)], {
    stdio: ['ignore', output, output, 'ipc'],
    env: environmentOfBuild(),
  })
  if (typeof output === 'number') closeSync(output)
  child.once('error', (error) => failed(error.message))
  child.once('exit', (code, signal) => {
    if (code !== 0) failed(`Its build ended with ${code ?? signal}; console/build.log says why.`)
  })
  log.info(
    'The console was opened, and is built now unless it is up to date. A first build fetches 100 MB of packages into console/node_modules.',
  )
  lowerPriority(child.pid)
  child.unref()
  child.channel?.unref()
}

/** A working copy may be read-only; it can have a build all the same. */
function openOutput(path: URL): number | 'ignore' {
  try {
    return openSync(path, 'w', 0o600)
  } catch {
    return 'ignore'
  }
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already.
  }
}
