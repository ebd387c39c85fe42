import { environmentWith } from '../../src/config/config.ts'
import { executable } from '../processes/command.ts'
import { startProgram } from '../processes/process.ts'
import { memoryMiB, processorMs } from '../processes/processor-time.ts'

type Watched = {
  env?: Record<string, string>
  /** The server whose processor time is measured too. */
  serverPid?: number
}

const pollEveryMs = 100

/** Runs `petstore ARGS` to its end, and watches what it takes. */
export async function runWatched(args: readonly string[], { env = {}, serverPid }: Watched = {}) {
  const startMs = performance.now()
  const serverMs = () => (serverPid === undefined ? 0 : processorMs(serverPid))
  const beforeMs = serverMs()
  const { pid, exited } = startProgram(executable(...args), {
    env: environmentWith(env),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const most = { processorSeconds: 0, serverSeconds: 0, peakMiB: 0 }
  // A process that has ended, such as a session of the server, is counted no more.
  const watching = setInterval(() => {
    most.peakMiB = Math.max(most.peakMiB, memoryMiB(pid))
    most.processorSeconds = Math.max(most.processorSeconds, processorMs(pid) / 1_000)
    most.serverSeconds = Math.max(most.serverSeconds, (serverMs() - beforeMs) / 1_000)
  }, pollEveryMs)
  const { code, signal, stderr } = await exited
  clearInterval(watching)
  const seconds = (performance.now() - startMs) / 1_000
  return { ...most, code: (code ?? signal) as number | string, stderr, seconds }
}
