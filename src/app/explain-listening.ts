import { ExitError } from '../config/exit-error.ts'

export const portAdvice = 'Choose another with --port or PETSTORE_PORT.'

type Listening = {
  host: string
  port: number
  /** The setting that has the host. */
  setting: string
  /** What to do where the port is in use. */
  advice: string
}

/** Why a server could not listen: an `ExitError` where an operator can change that. */
export function explainListening(
  error: unknown,
  { host, port, setting, advice }: Listening,
): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new ExitError('addressInUse', `Port ${port} of ${host} is in use. ${advice}`, error)
    case 'EACCES': {
      const sentence = `This user may not listen on port ${port} of ${host}.`
      return new ExitError('noPermission', sentence, error)
    }
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND': {
      const sentence = `${setting} is ${host}, which is not an address of this machine.`
      return new ExitError('configuration', sentence, error)
    }
    default:
      return error
  }
}
