/** Why a launch ended before the program began: a sentence for the person at the terminal, and how the launch ends. */
export class LaunchError extends Error {
  constructor(message, end = { code: 81 }) {
    super(message)
    this.end = end
  }
}

/** Ends this process as the error says. Throws any other error. */
export function endWith(error) {
  if (!(error instanceof LaunchError)) throw error
  console.error(error.message)
  endLike(error.end)
}

/** Ends this process as another ended: with its exit code, or by its signal, which the first process of a container ignores. */
export function endLike({ code, signal }) {
  if (signal) process.kill(process.pid, signal)
  process.exitCode = code ?? 1
}
