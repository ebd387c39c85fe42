import type { Lifecycle } from '../../contract/operation.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { isPathId } from '../request/parameters.ts'

type Deprecation = NonNullable<Lifecycle['deprecation']>

/**
 * Compiles a deprecation into the headers of every response after authentication (RFC 9745, RFC 8594). The link leads to
 * the record itself (RFC 5829); where the path has no valid id, to all records.
 */
export function compileLifecycleHeaders({ deprecatedAt, removedAt, successor }: Deprecation) {
  const deprecation = `@${Date.parse(deprecatedAt) / 1000}`
  const sunset = new Date(removedAt).toUTCString()
  return (baseUrl: string, pathId: string) => {
    const query = isPathId(pathId) ? `?${successor.idParameter}=${pathId}` : ''
    const link = `<${baseUrl}${successor.path}${query}>; rel="successor-version"`
    return { deprecation, sunset, link }
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
