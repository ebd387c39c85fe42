import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { whenThisProcessIsGone } from '../processes/process.ts'

/** `hung`: killed at the time limit, so the tests are neither red nor green. */
type Outcome = 'green' | 'red' | 'hung' | 'stopped'

type TestRun = {
  tests: readonly string[]
  /** The source tree. */
  root: string
  env: NodeJS.ProcessEnv
  hangMs: number
  /** Stops the run. */
  signal: AbortSignal
}

const options = ['--test', '--test-concurrency=1', '--test-reporter=spec', '--test-timeout=60000']

/**
 * Runs these test files until one test fails, whose title is the `failure`. None of the processes that they started
 * outlives the run, however it ends.
 */
export async function runTests({
  tests,
  root,
  env,
  hangMs,
  signal,
}: TestRun): Promise<{ outcome: Outcome; failure?: string | undefined }> {
  if (signal.aborted) return { outcome: 'stopped' }
  const child = spawn(process.execPath, [...options, ...tests], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process group of its own.
    detached: true,
  })
  whenThisProcessIsGone('kill -9 "-$1"', [String(child.pid)], child)
  const exited = once(child, 'exit')
  const killGroup = () => killProcessGroup(child.pid)
  let isHung = false
  const limit = setTimeout(() => {
    isHung = true
    killGroup()
  }, hangMs)
  signal.addEventListener('abort', killGroup)
  child.once('exit', killGroup)

  let output = ''
  let failure: string | undefined
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    failure ??= firstFailure(output)
    if (failure !== undefined) killGroup()
  }
  const [code] = await exited
  clearTimeout(limit)
  signal.removeEventListener('abort', killGroup)
  if (signal.aborted) return { outcome: 'stopped' }
  if (failure === undefined && isHung) return { outcome: 'hung' }
  return { outcome: code === 0 ? 'green' : 'red', failure }
}

/** The title of the first failed test in the output so far; a file's path if it failed as a whole. */
function firstFailure(output: string): string | undefined {
  return /^ *✖ (.+) \([\d.]+ms\)$/m.exec(output)?.[1]
}

function killProcessGroup(leader: number | undefined) {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch (error) {
    // All processes of the group have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
