import { OpenError } from '../errors.ts'

/** Throws OpenError where the work cannot write a file. */
export function explainWriting<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw writingError(error, `${file} cannot be written`)
  }
}

/** An OpenError for a failure of the operating system; other errors are returned unchanged. */
export function writingError(error: unknown, subject: string, consequence = ''): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const isForbidden = ['EACCES', 'EPERM', 'EROFS'].includes(code)
  const sentence = `${subject}: ${message}.${consequence}`
  return new OpenError(isForbidden ? 'noPermission' : 'ioError', sentence, error)
}
