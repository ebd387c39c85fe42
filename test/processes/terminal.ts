import type { Writable } from 'node:stream'
import { environmentFor, startProgram, withoutConsole } from './process.ts'

/** A shell that reads what is pasted into it, as the window of a reader does. */
export function openTerminal(cwd: string, env: Record<string, string>) {
  const { child, pid, output, exited, hasEnded, waitFor } = startProgram(['bash', '-e'], {
    cwd,
    env: environmentFor({ ...withoutConsole, ...env }),
    stdio: 'pipe',
    detached: true,
  })
  const stdin = child.stdin as Writable
  // A shell that ended because a command failed reads nothing more; waitFor reports it.
  stdin.on('error', () => undefined)
  let pasted = 0

  async function outputUntil(pattern: RegExp, block: string): Promise<string> {
    const { index } = await waitFor(pattern).catch((error: Error) => {
      throw new Error(
        `A command fails, or does not end and has no terminal of its own:\n${block}`,
        { cause: error },
      )
    })
    return output.stdout.slice(0, index)
  }

  return {
    /** Pastes the lines of a block; resolves with their output once the shell can take the next one. Throws when a command fails. */
    async paste(block: string): Promise<string> {
      pasted += 1
      Object.assign(output, { stdout: '', stderr: '' })
      stdin.write(`${block}\nprintf '\\n%s\\n' "pasted ${pasted}"\n`)
      return outputUntil(new RegExp(`^pasted ${pasted}$`, 'm'), block)
    },
    /** Pastes a block whose last command keeps running; resolves once its output matches. */
    async pasteAndLeave(block: string, isReady: RegExp) {
      stdin.write(block)
      await outputUntil(isReady, block)
    },
    /** Ctrl+C, and the end of the shell with all that it started. */
    async close() {
      stdin.end()
      // What the shell left in the background keeps its output open.
      if (!hasEnded()) process.kill(-pid, 'SIGINT')
      await exited
    },
  }
}

export type Terminal = ReturnType<typeof openTerminal>
