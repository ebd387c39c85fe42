/** Why a launch ended before the program began, as an exit code; 64 is the one of the program. */
const exitCodes = { usage: 64, nodeTooOld: 80, notInstalled: 81, noNode: 82 }

/** Carries one sentence for the person at the terminal, and the exit code of the launch. */
export class LaunchError extends Error {
  constructor(reason, message) {
    super(message)
    this.exitCode = exitCodes[reason]
  }
}

/** A signal ended the install; the launch ends with the same signal. */
export class Interruption extends Error {
  constructor(signal) {
    super(`Interrupted by ${signal}.`)
    this.signal = signal
  }
}
