import { spawn } from 'node:child_process'
import { once } from 'node:events'

const signals = ['SIGTERM', 'SIGINT', 'SIGHUP']

/**
 * Starts a process, passes our signals on to it, and resolves with its `{ code, signal }` and the last signal
 * `passedOn`. Rejects when it cannot start.
 */
export async function run(command, args, options, onStart = () => {}) {
  const child = spawn(command, args, options)
  let passedOn
  const forward = (signal) => {
    passedOn = signal
    child.kill(signal)
  }
  for (const signal of signals) process.on(signal, forward)
  child.once('spawn', () => onStart(child.pid))
  try {
    const [code, signal] = await once(child, 'close')
    return { code, signal, passedOn }
  } finally {
    for (const signal of signals) process.off(signal, forward)
  }
}
