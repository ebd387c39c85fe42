import type { OpenError } from '../../db/errors.ts'

/** Why a store cannot be opened, always with what to do. */
export function describeProblem(problem: OpenError | string): string {
  if (typeof problem === 'string') return problem
  const { reason, message } = problem
  if (reason === 'damaged' && !message.includes('backup')) {
    return `${message} Restore a backup, or correct PETSTORE_DATABASE.`
  }
  if (reason === 'noPermission') return `${message} Run it as the user of the service.`
  if (reason === 'ioError') return `${message} Look at the log of the machine.`
  return message
}
