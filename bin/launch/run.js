import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']

/**
 * Starts a process, passes our signals on to it, and resolves with its `{ code, signal }` and the last signal
 * `passedOn`. Rejects when it cannot start.
 */
export function run(command, args, options, onStart = () => {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    let passedOn = null
    const forward = (signal) => {
      passedOn = signal
      child.kill(signal)
    }
    const stopForwarding = () => {
      for (const signal of signals) process.off(signal, forward)
    }
    for (const signal of signals) process.on(signal, forward)

    child.once('spawn', () => onStart(child))
    child.once('error', (error) => {
      stopForwarding()
      reject(error)
    })
    child.once('close', (code, signal) => {
      stopForwarding()
      resolve({ code, signal, passedOn })
    })
  })
}

/**
 * Runs a program in place of this process, which keeps its pid: signals and exit codes need nobody to pass them on.
 * Returns where Node cannot do it.
 */
export function replaceProcess(binary, args) {
  process.execve?.(binary, [binary, ...args], process.env)
}

/** Ends this process as another ended: with its exit code, or by its signal. */
export function endLike({ code, signal }) {
  if (signal === null) {
    process.exitCode = code
    return
  }
  process.kill(process.pid, signal)
  process.exitCode = 128 + constants.signals[signal]
}
