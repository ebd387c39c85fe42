import type { ErrorCode } from '../../contract/error-codes.ts'
import { maskKeys } from '../../contract/key-text.ts'
import { listWords } from '../../contract/list-words.ts'
import { describeProblems, nameShownMax, type Problem, shortened } from '../../contract/problem.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { nearestName } from '../../nearest-name.ts'
import { strictApplied } from './preferences.ts'

/** The most unknown names that a response lists. */
export const unknownMax = 10

/** What an unknown name was sent as, the operation or schema that it was sent to, and the names that are known there. */
type Unknown = {
  kind: 'parameter' | 'member'
  of: string
  known: readonly string[]
  /** The pointer to what has the member, where that is not the body. */
  within?: string
}

/** A problem for each unknown name, for a request that refuses them. */
export function unknownProblems(names: readonly string[], unknown: Unknown): Problem[] {
  return names.map((name) => ({
    ...(unknown.kind === 'member'
      ? { pointer: `${unknown.within ?? ''}${asPointer(name)}` }
      : { parameter: shortened(name) }),
    detail: describeUnknown(name, unknown),
  }))
}

/** The error with these problems. `isStrict`: some of them are problems only under `handling=strict`. */
export function invalid(
  code: ErrorCode,
  problems: readonly Problem[],
  { isStrict } = { isStrict: false },
): ServiceError {
  const headers = isStrict ? strictApplied : {}
  return new ServiceError(code, describeProblems(problems), { problems, headers })
}

/** Describes an unknown name with the nearest known one, or with all of them. */
function describeUnknown(name: string, { kind, of, known }: Unknown): string {
  const nearest = nearestName(name, known)
  const advice =
    nearest !== undefined
      ? `did you mean ${nearest}?`
      : known.length === 0
        ? 'it takes none'
        : `it takes ${listWords(known)}`
  return `is not a ${kind} of ${of}; ${advice}`
}

/** The value of `Petstore-Ignored`: the shortened names, percent-encoded (RFC 3986), which makes them ASCII. Keys are masked. */
export function ignoredHeader(names: readonly string[]): string {
  const encoded = names.map((name) =>
    encodeURIComponent(maskKeys(name).slice(0, nameShownMax).toWellFormed()),
  )
  return [...new Set(encoded)].slice(0, unknownMax).join(', ')
}

/** The JSON pointer (RFC 6901) to a member of this name, shortened. */
function asPointer(name: string): string {
  return `/${shortened(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
