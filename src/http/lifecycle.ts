import { ServiceError } from '../errors.ts'
import type { Lifecycle } from './operation.ts'

type Deprecation = NonNullable<Lifecycle['deprecation']>

/** RFC 9745 and RFC 8594: from the key check on, every answer of a deprecated operation carries these. */
export function lifecycleHeaders(
  { deprecatedAt, removedAt, successorPath }: Deprecation,
  baseUrl: string,
) {
  return {
    deprecation: `@${Date.parse(deprecatedAt) / 1000}`,
    sunset: new Date(removedAt).toUTCString(),
    link: `<${baseUrl}${successorPath}>; rel="successor-version"`,
  }
}

/** Throws `operation_removed` from the instant of removal on. */
export function checkNotRemoved({ removedAt, advice }: Deprecation, now: number): void {
  if (now < Date.parse(removedAt)) return
  throw new ServiceError(
    'operation_removed',
    `This operation was removed on ${removedAt}. ${advice}`,
  )
}
