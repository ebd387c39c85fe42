import { defineOperation } from '../contract/operation.ts'
import { ServiceError } from '../contract/service-error.ts'
import { serviceTag } from '../contract/tags.ts'
import * as Type from '../contract/type.ts'
import { type Implementation, implement } from '../http/implement.ts'

const path = '/.well-known/security.txt'
const validMs = 30 * 24 * 3_600_000

const example = 'Contact: mailto:security@example.com\nExpires: 2027-01-31T00:00:00.000Z\n'

const SecurityText = Type.String({
  $id: 'SecurityText',
  maxLength: 10_000,
  description: 'A file as RFC 9116 describes it: a field on each line.',
  examples: [example],
})

export const getSecurityTextOperation = defineOperation({
  operationId: 'getSecurityText',
  method: 'GET',
  path,
  isUnversioned: true,
  tag: serviceTag,
  summary: 'Find out where to report a vulnerability',
  description:
    'Returns whom to tell of a vulnerability of this store (RFC 9116), or 404 where its operator names nobody.',
  scope: 'public',
  lifecycle: { stability: 'stable' },
  returns: 'stream',
  mediaTypes: ['text/plain; charset=utf-8'],
  item: SecurityText,
  errors: ['not_found', 'unavailable'],
  examples: {
    name: 'success',
    summary: 'Where to report.',
    response: example,
  },
})

type SecurityTextOptions = { securityContacts?: readonly string[]; publicUrl?: string }

/** Serves the contacts in the order of preference. The file expires, as RFC 9116 demands, 30 days after each response. */
export function implementSecurityText({
  securityContacts,
  publicUrl,
}: SecurityTextOptions): Implementation {
  return implement(getSecurityTextOperation, async ({ clock }) => {
    if (!securityContacts) {
      throw new ServiceError(
        'not_found',
        'This store names no contact for vulnerabilities. Ask its operator, who sets PETSTORE_SECURITY_CONTACT.',
      )
    }
    const canonical = publicUrl && `Canonical: ${publicUrl.replace(/\/v1$/, path)}\n`
    const contacts = securityContacts.map((contact) => `Contact: ${contact}\n`).join('')
    const text = `${contacts}Expires: ${new Date(clock() + validMs).toISOString()}\n${canonical ?? ''}`
    return async function* () {
      yield text
    }
  })
}
