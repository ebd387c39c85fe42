import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { environmentWith } from '../../src/config/config.ts'
import { collectOutput, withoutConsole } from './process.ts'

const pasteMaxMs = 60_000

/** A shell that reads what is pasted into it, as the window of a reader does. */
export function openTerminal(cwd: string, env: Record<string, string>) {
  const child = spawn('bash', ['-e'], {
    cwd,
    env: { ...environmentWith({ ...withoutConsole, ...env }), NODE_TEST_CONTEXT: undefined },
    stdio: 'pipe',
    detached: true,
  })
  let isClosed = false
  const closed = once(child, 'close').then(() => {
    isClosed = true
  })
  const output = collectOutput(child)
  // A shell that ended because a command failed reads nothing more; waitFor reports it.
  child.stdin.on('error', () => undefined)
  let pasted = 0

  async function waitFor(pattern: RegExp, block: string): Promise<string> {
    const late = new AbortController()
    const timer = sleep(pasteMaxMs, undefined, { signal: late.signal, ref: false }).then(
      () => 'does not end, although no other terminal is named for it',
      () => '',
    )
    const ended = closed.then(() => 'has failed')
    try {
      while (!pattern.test(output.stdout)) {
        const data = once(child.stdout, 'data', { signal: late.signal }).then(
          () => '',
          () => '',
        )
        const problem = await Promise.race([data, ended, timer])
        if (problem !== '' && !pattern.test(output.stdout)) {
          throw new Error(`${block}${problem}:\n${output.stdout}\n${output.stderr}`)
        }
      }
      return output.stdout.slice(0, output.stdout.search(pattern))
    } finally {
      late.abort()
    }
  }

  return {
    /** Pastes the lines of a block; resolves with their output once the shell can take the next one. Throws when a command fails. */
    async paste(block: string): Promise<string> {
      pasted += 1
      Object.assign(output, { stdout: '', stderr: '' })
      child.stdin.write(`${block}\nprintf '\\n%s\\n' "pasted ${pasted}"\n`)
      return waitFor(new RegExp(`^pasted ${pasted}$`, 'm'), block)
    },
    /** Pastes a block whose last command keeps running; resolves once its output matches. */
    async pasteAndLeave(block: string, isReady: RegExp) {
      child.stdin.write(block)
      await waitFor(isReady, block)
    },
    /** Ctrl+C, and the end of the shell with all that it started. */
    async close() {
      child.stdin.end()
      // What the shell left in the background keeps its output open.
      if (!isClosed) process.kill(-(child.pid ?? 0), 'SIGINT')
      await closed
    },
  }
}

export type Terminal = ReturnType<typeof openTerminal>
