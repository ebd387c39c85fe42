import type { Lifecycle } from '../../contract/operation.ts'
import { ServiceError } from '../../contract/service-error.ts'

type Deprecation = NonNullable<Lifecycle['deprecation']>

/**
 * Compiles a deprecation into the headers of every response after authentication (RFC 9745, RFC 8594). They are cached
 * for the last host, since most requests name the same one.
 */
export function compileLifecycleHeaders({ deprecatedAt, removedAt, successorPath }: Deprecation) {
  const deprecation = `@${Date.parse(deprecatedAt) / 1000}`
  const sunset = new Date(removedAt).toUTCString()
  let written = { deprecation, sunset, link: '' }
  let writtenFor: string | undefined
  return (baseUrl: string) => {
    if (baseUrl !== writtenFor) {
      const link = `<${baseUrl}${successorPath}>; rel="successor-version"`
      written = { deprecation, sunset, link }
      writtenFor = baseUrl
    }
    return written
  }
}

/** Compiles a check that throws `operation_removed` after the instant of removal. */
export function compileCheckNotRemoved({ removedAt, advice }: Deprecation) {
  const removedMs = Date.parse(removedAt)
  return (now: number): void => {
    if (now < removedMs) return
    throw new ServiceError(
      'operation_removed',
      `This operation was removed on ${removedAt}. ${advice}`,
    )
  }
}
