import { OpenError } from '../errors.ts'

/** Throws OpenError where the work cannot write a file. */
export function explainWriting<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(code)
    throw new OpenError(
      isForbidden ? 'noPermission' : 'ioError',
      `${file} cannot be written: ${message}.`,
      error,
    )
  }
}
