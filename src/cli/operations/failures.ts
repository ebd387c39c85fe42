import {
  PetstoreApiError,
  PetstoreConfigurationError,
  PetstoreError,
} from '../../../client/src/errors.ts'
import { ExitError, type ExitReason } from '../../config/exit-error.ts'

/** Waits for requests. Throws `ExitError` with one line on the request that failed. */
export async function exitOnFailure<T>(requests: PromiseLike<T>): Promise<T> {
  try {
    return await requests
  } catch (error) {
    if (error instanceof PetstoreError) {
      const sentence = error.isOutcomeUnknown
        ? `${sentenceOf(error)} ${remedyOf(error)}`
        : sentenceOf(error)
      throw new ExitError(reasonOf(error), sentence, error)
    }
    if (!(error instanceof PetstoreConfigurationError || error instanceof RangeError)) throw error
    throw new ExitError('usage', error.message.replace(/^baseUrl/, 'The address'), error)
  }
}

function reasonOf(error: PetstoreError): ExitReason {
  if (error.isOutcomeUnknown) return 'unknownOutcome'
  if (!(error instanceof PetstoreApiError) || error.code === undefined) return 'unreachable'
  const { status } = error
  if (status === 401 || status === 403) return 'noPermission'
  if (status === 404 || status === 410) return 'notFound'
  return status < 500 && status !== 408 && status !== 429 ? 'refused' : 'unreachable'
}

function sentenceOf(error: PetstoreError): string {
  if (error instanceof PetstoreApiError) {
    const isOfProxy = error.status === 413 || error.status === 504
    if (error.code !== undefined || isOfProxy) return error.message
    return `${error.message} Is this the base address of a pet store, ending in /v1?`
  }
  // The failures that the user can mend from here.
  const { code = '' } = Object(error.cause) as { code?: string }
  if (code === 'EPROTO' && /wrong version number|packet length too long/.test(error.message))
    return 'No answer arrived: the port does not speak TLS. Does the address begin with http:// instead?'
  const isUntrusted = /CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)
  const advice = isUntrusted ? ' NODE_EXTRA_CA_CERTS=FILE names a certificate to trust.' : ''
  // OpenSSL writes several lines.
  return `${error.message.replaceAll(/\s+/g, ' ')}.${advice}`
}

function remedyOf({ idempotencyKey }: PetstoreError): string {
  return idempotencyKey === undefined
    ? 'Whether the change was made is unknown: look before you try again.'
    : `Whether the change was made is unknown: run it again with --idempotency-key ${idempotencyKey}, and it is made once.`
}
