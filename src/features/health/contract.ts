import { defineOperation } from '../../contract/operation.ts'
import { textUpTo } from '../../contract/schemas.ts'
import { serviceTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

const probe = {
  method: 'GET',
  isUnversioned: true,
  isProbe: true,
  tag: serviceTag,
  scope: 'public',
  lifecycle: { stability: 'stable' },
  returns: 'value',
} as const

function healthSchema<const Status extends string, More extends Type.TProperties>(
  $id: string,
  description: string,
  status: Status,
  more: More,
) {
  const property = Type.Unsafe<Status>({
    type: 'string',
    const: status,
    description: `Always \`${status}\`.`,
    examples: [status],
  })
  return Type.Object(
    { status: property, ...more },
    { $id, description, additionalProperties: false, examples: [{ status }] },
  )
}

const count = (description: string, example: number) =>
  Type.Integer({ format: 'int64', minimum: 0, description, examples: [example] })

const replication = Type.Optional(
  Type.Object(
    {
      primary: textUpTo(
        300,
        'The host that takes writes, as the address of the database lists it.',
        'db-1:5432',
      ),
      standbys: count('Standbys that are connected.', 1),
      synchronousStandbys: Type.Optional(
        count('Of them, those that commits wait for. Absent where the role may not see it.', 1),
      ),
      behindBytes: Type.Optional(
        count(
          'How much of the log the last standby does not yet have. Absent where the role may not see it.',
          0,
        ),
      ),
      problem: Type.Optional(
        textUpTo(
          300,
          'What a failover would lose, or what commits wait for. Absent where all is well.',
          'No standby is connected: a failover would lose acknowledged writes.',
        ),
      ),
    },
    {
      description: 'The primary of PostgreSQL and its standbys. Absent with SQLite.',
      additionalProperties: false,
      examples: [{ primary: 'db-1:5432', standbys: 1, synchronousStandbys: 1, behindBytes: 0 }],
    },
  ),
)

export const getLivenessOperation = defineOperation({
  ...probe,
  operationId: 'getLiveness',
  path: '/health/live',
  client: 'service.getLiveness',
  summary: 'Check that the process runs',
  description: 'Returns 200 while the process runs, whatever the state of its database.',
  item: healthSchema('Liveness', 'The process runs.', 'live', {}),
  errors: [],
  examples: { name: 'success', summary: 'The process runs.', response: { status: 'live' } },
})

export const getReadinessOperation = defineOperation({
  ...probe,
  operationId: 'getReadiness',
  path: '/health/ready',
  client: 'service.getReadiness',
  summary: 'Check that the service is ready',
  description:
    'Returns 200 if the store has all its tables and a commit succeeds, and 503 if not or if the process is stopping.',
  item: healthSchema('Readiness', 'The service takes requests.', 'ready', { replication }),
  errors: ['internal_error', 'unavailable'],
  examples: {
    name: 'success',
    summary: 'The service takes requests.',
    response: { status: 'ready' },
  },
})
