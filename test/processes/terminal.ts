import { spawn } from 'node:child_process'
import { environmentFor, follow, withoutConsole } from './process.ts'

/** A shell that reads what is pasted into it, as the window of a reader does. */
export function openTerminal(cwd: string, env: Record<string, string>) {
  const child = spawn('bash', ['-e'], {
    cwd,
    env: environmentFor({ ...withoutConsole, ...env }),
    stdio: 'pipe',
    detached: true,
  })
  const { output, exited, hasEnded, waitFor } = follow(child)
  // A shell that ended because a command failed reads nothing more; waitFor reports it.
  child.stdin.on('error', () => undefined)
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
      child.stdin.write(`${block}\nprintf '\\n%s\\n' "pasted ${pasted}"\n`)
      return outputUntil(new RegExp(`^pasted ${pasted}$`, 'm'), block)
    },
    /** Pastes a block whose last command keeps running; resolves once its output matches. */
    async pasteAndLeave(block: string, isReady: RegExp) {
      child.stdin.write(block)
      await outputUntil(isReady, block)
    },
    /** Ctrl+C, and the end of the shell with all that it started. */
    async close() {
      child.stdin.end()
      // What the shell left in the background keeps its output open.
      if (!hasEnded()) process.kill(-(child.pid ?? 0), 'SIGINT')
      await exited
    },
  }
}

export type Terminal = ReturnType<typeof openTerminal>
