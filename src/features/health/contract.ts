import { defineOperation } from '../../contract/operation.ts'
import { serviceTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

const lifecycle = { stability: 'beta' } as const

function healthSchema<const Status extends string>(
  $id: string,
  description: string,
  status: Status,
) {
  const property = Type.Unsafe<Status>({
    type: 'string',
    const: status,
    description: `Always \`${status}\`.`,
    examples: [status],
  })
  return Type.Object(
    { status: property },
    { $id, description, additionalProperties: false, examples: [{ status }] },
  )
}

export const getLivenessOperation = defineOperation({
  operationId: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  isBesideBase: true,
  isProbe: true,
  client: 'service.getLiveness',
  tag: serviceTag,
  summary: 'Check that the process runs',
  description: 'Returns 200 while the process runs, whatever the state of its database.',
  scope: 'public',
  lifecycle,
  returns: 'value',
  item: healthSchema('Liveness', 'The process runs.', 'live'),
  errors: [],
  examples: { name: 'success', summary: 'The process runs.', response: { status: 'live' } },
})

export const getReadinessOperation = defineOperation({
  operationId: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  isBesideBase: true,
  isProbe: true,
  client: 'service.getReadiness',
  tag: serviceTag,
  summary: 'Check that the service is ready',
  description:
    'Returns 200 once a commit to the database succeeds, and 503 if none does or the process is stopping.',
  scope: 'public',
  lifecycle,
  returns: 'value',
  item: healthSchema('Readiness', 'The service takes requests.', 'ready'),
  errors: ['internal_error', 'unavailable'],
  examples: {
    name: 'success',
    summary: 'The service takes requests.',
    response: { status: 'ready' },
  },
})
