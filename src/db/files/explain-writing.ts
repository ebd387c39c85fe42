import { OpenError } from '../errors.ts'

/** Throws OpenError where the work cannot write a file. */
export function explainWriting<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw writingError(error, `${file} cannot be written`)
  }
}

const forbidden = ['EACCES', 'EPERM', 'EROFS']
const missing = ['ENOENT', 'ENOTDIR']

/** An OpenError for a failure of the operating system; other errors are returned unchanged. */
export function writingError(error: unknown, subject: string, consequence = ''): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined) return error
  const sentence = `${subject}: ${message}.${consequence}`
  if (missing.includes(code)) return new OpenError('missingDirectory', sentence, error)
  return new OpenError(forbidden.includes(code) ? 'noPermission' : 'ioError', sentence, error)
}
