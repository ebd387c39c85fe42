import type { Lifecycle } from '../../contract/operation.ts'
import { ServiceError } from '../../contract/service-error.ts'

type Deprecation = NonNullable<Lifecycle['deprecation']>

/**
 * Compiles a deprecation into the headers that every answer carries from the key check on (RFC 9745, RFC 8594). Most
 * requests name the same host, so what is written for one is kept for the next.
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

/** Compiles a check that throws `operation_removed` from the instant of removal on. */
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
