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

const isNoAddressHere = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAI_AGAIN',
  'EINVAL',
  'ENOTFOUND',
])

/** Why a server could not listen: an `ExitError` where an operator can change that. */
export function explainListening(
  error: unknown,
  { host, port, setting, advice }: Listening,
): unknown {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new ExitError('addressInUse', `Port ${port} of ${host} is in use. ${advice}`, error)
  if (code === 'EACCES')
    return new ExitError(
      'noPermission',
      `This user may not listen on port ${port} of ${host}.`,
      error,
    )
  if (isNoAddressHere.has(code ?? ''))
    return new ExitError(
      'configuration',
      `${setting} is ${host}, which is not an address of this machine.`,
      error,
    )
  return error
}
