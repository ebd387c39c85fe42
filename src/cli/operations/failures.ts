import {
  PetstoreApiError,
  PetstoreConfigurationError,
  PetstoreError,
} from '../../../client/src/errors.ts'
import { printable } from '../../telemetry/escape.ts'
import { exitCodes } from '../exit-codes.ts'

type Told = { sentence: string; code: number }

/** What to tell of a request that failed, in one line; undefined for other errors. */
export function describeRequestFailure(error: unknown): Told | undefined {
  if (error instanceof PetstoreConfigurationError || error instanceof RangeError) {
    return { sentence: error.message.replace(/^baseUrl/, 'The address'), code: exitCodes.usage }
  }
  if (!(error instanceof PetstoreError)) return undefined
  const remedy = error.isOutcomeUnknown ? ` ${remedyOf(error)}` : ''
  return { sentence: printable(`${sentenceOf(error)}${remedy}`), code: codeOf(error) }
}

function codeOf(error: PetstoreError): number {
  if (error.isOutcomeUnknown) return exitCodes.unknownOutcome
  if (!(error instanceof PetstoreApiError) || error.code === undefined) return exitCodes.unreachable
  const { status } = error
  if (status === 401 || status === 403) return exitCodes.noPermission
  if (status === 404 || status === 410) return exitCodes.notFound
  const isRefused = status < 500 && status !== 408 && status !== 429
  return isRefused ? exitCodes.refused : exitCodes.unreachable
}

function sentenceOf(error: PetstoreError): string {
  if (!(error instanceof PetstoreApiError)) return `${error.message}.${adviceOf(error)}`
  if (error.code !== undefined) return error.message
  return `${error.message} Is this the base address of a pet store, ending in /v1?`
}

/** A certificate that is not trusted is the one failure that the user can mend from here. */
function adviceOf(error: PetstoreError): string {
  const { code = '' } = Object(error.cause) as { code?: string }
  return /CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)
    ? ' NODE_EXTRA_CA_CERTS=FILE names a certificate to trust.'
    : ''
}

function remedyOf({ idempotencyKey }: PetstoreError): string {
  return idempotencyKey === undefined
    ? 'Whether the change was made is unknown: look before you try again.'
    : `Whether the change was made is unknown: run it again with --idempotency-key ${idempotencyKey}, and it is made once.`
}
