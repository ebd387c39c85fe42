import { errorCodes } from '../contract/error-codes.ts'
import { int64, oneOf as oneOfTexts, rateLimitMax } from '../contract/schemas.ts'
import * as Type from '../contract/type.ts'
import { scopes } from '../features/scopes.ts'

/** The longest delay of a fault: ten minutes, longer than the timeouts of clients. */
const pauseMaxMs = 600_000
const textMax = 200

const instant = Type.String({
  format: 'date-time',
  description: 'An instant, RFC 3339.',
  allowed: 'an instant such as 2030-12-05T00:00:00Z',
  examples: ['2030-12-05T00:00:00Z'],
})

const integer = (minimum: number, maximum: number, description: string, example: number) =>
  Type.Integer({
    minimum,
    maximum,
    description,
    allowed: `an integer from ${minimum} to ${maximum}`,
    examples: [example],
  })

const flag = (description: string) =>
  Type.Boolean({ description, allowed: 'true or false', examples: [true] })

const oneOf = <const T extends string>(values: readonly T[], description: string) =>
  oneOfTexts(values, {
    description,
    allowed: `one of ${values.join(', ')}`,
    examples: values.slice(0, 1),
  })

export const snapshotName = Type.String({
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'The name of a snapshot.',
  allowed: 'the name of a snapshot: 1 to 64 letters, digits, - and _',
  examples: ['two-pets'],
})

/** Which requests the journal lists. A typo would match no request, and a test take that for none received. */
export const journalFilter = Type.Partial({
  operation: Type.String({ description: 'Only requests of this operation.' }),
  method: Type.String({ description: 'Only requests of this method.' }),
  status: Type.Integer({
    minimum: 100,
    maximum: 599,
    description: 'Only requests that got this status.',
    allowed: 'an HTTP status such as 201',
  }),
  code: Type.String({ description: 'Only requests that got this error code.' }),
  deprecated: oneOf(
    ['true', 'false'],
    'Only requests of deprecated operations, or only of others.',
  ),
})

export const ResetRequest = Type.Partial(
  {
    to: oneOf(
      ['start', 'empty'],
      'The contents that the store started with (the default), or none.',
    ),
    snapshot: snapshotName,
    seed: integer(1, 100_000, 'This many demo pets, and orders for them.', 100),
    fixture: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'These categories, pets and orders.',
        allowed: 'a JSON object',
        examples: [{ pets: [{ name: 'Rex', status: 'available' }] }],
      },
    ),
  },
  {
    $id: 'ResetRequest',
    description: 'The contents of the store after the reset; at most one member.',
    allowed: 'a JSON object with at most one of to, snapshot, seed, fixture',
    examples: [{ to: 'empty' }],
  },
)
export type ResetRequest = Type.Static<typeof ResetRequest>

export const ClockChange = Type.Partial(
  {
    now: instant,
    advanceMs: integer(0, 315_360_000_000, 'How far to advance the clock.', 900_000),
    frozen: flag('Whether the clock stands still until it is set or advanced.'),
  },
  {
    $id: 'ClockChange',
    description: 'Sets, advances, stops or starts the clock of the store.',
    allowed: 'a JSON object with now, advanceMs, frozen',
    examples: [{ advanceMs: 900_000 }],
  },
)
export type ClockChange = Type.Static<typeof ClockChange>

const codes = Object.keys(errorCodes) as (keyof typeof errorCodes)[]

const Violation = Type.Object(
  {
    status: integer(200, 599, 'The status.', 200),
    contentType: Type.Optional(
      Type.String({
        maxLength: textMax,
        pattern: '^[\\x20-\\x7e]+$',
        description: 'The Content-Type; that of JSON when absent.',
        allowed: `printable ASCII of at most ${textMax} characters`,
        examples: ['text/html'],
      }),
    ),
    body: Type.String({
      maxLength: 60_000,
      description: 'The text of the body.',
      allowed: 'a text of at most 60000 characters',
      examples: ['{"id":"1"}'],
    }),
  },
  {
    description: 'Any response, declared by the contract or not.',
    allowed: 'a JSON object with status, contentType, body',
  },
)

export const NewFault = Type.Partial(
  {
    operation: Type.String({
      maxLength: textMax,
      description: 'Only requests of this operation, by its operationId.',
      allowed: 'an operationId',
      examples: ['createPet'],
    }),
    method: oneOf(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'], 'Only requests of this method.'),
    status: integer(
      100,
      599,
      'Only requests that get this status. The fault is then applied after the operation is performed.',
      201,
    ),
    nth: integer(1, 1_000_000, 'Only the nth request that the other conditions match.', 3),
    times: integer(
      1,
      1_000_000,
      'The most requests that the fault is applied to; unlimited when absent.',
      2,
    ),
    probability: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of the matching requests that the fault is applied to.',
      allowed: 'a number from 0 to 1',
      examples: [0.1],
    }),
    seed: integer(
      0,
      4_294_967_295,
      'The seed of the probability: equal seeds choose the same requests. 0 when absent.',
      7,
    ),
    delayMs: integer(
      0,
      pauseMaxMs,
      'How long the request or, with status, its response is delayed.',
      500,
    ),
    error: oneOf(
      codes,
      'The error code to send, one that the operation declares. Without status the operation is not performed.',
    ),
    cut: oneOf(
      ['before', 'after', 'headers', 'body'],
      'Closes the connection: before the operation is performed, after it but before the response, within the headers, or within the body.',
    ),
    dripMs: integer(0, 10_000, 'The pause between pieces of 16 bytes of the body.', 20),
    violation: Violation,
  },
  {
    $id: 'NewFault',
    description: 'Conditions, all of which must match, and what to do with the request.',
    allowed: 'a JSON object',
    examples: [{ operation: 'createPet', nth: 1, cut: 'after' }],
  },
)
export type NewFault = Type.Static<typeof NewFault>

export const NewTestKey = Type.Partial(
  {
    scopes: Type.Array(oneOf(scopes, 'A scope.'), {
      minItems: 1,
      maxItems: 20,
      description: 'The scopes of the key; those of a key issued with defaults when absent.',
      allowed: 'an array of scopes',
      examples: [['pets:read']],
    }),
    expired: flag('Whether it has expired.'),
    validMs: integer(
      0,
      315_360_000_000,
      'How long it is valid by the clock of the store; without end when absent.',
      900_000,
    ),
    revoked: flag('Whether it was revoked.'),
    rateLimit: integer(
      1,
      rateLimitMax,
      'How many requests per second it may send, by the clock of the store; that of the settings when absent.',
      1,
    ),
    environment: oneOf(
      ['production', 'staging'],
      'The environment of the key; that of the store when absent.',
    ),
  },
  {
    $id: 'NewTestKey',
    description: 'The properties of the key to issue.',
    allowed: 'a JSON object',
    examples: [{ scopes: ['pets:read'] }],
  },
)
export type NewTestKey = Type.Static<typeof NewTestKey>

/** How many messages each kind sends. */
export const messagesOf = {
  twice: 2,
  outOfOrder: 3,
  late: 1,
  oldTimestamp: 1,
  wrongSignature: 1,
  cut: 1,
  burst: 1_000,
}

const kinds = Object.keys(messagesOf) as (keyof typeof messagesOf)[]

export const Misdelivery = Type.Object(
  {
    as: oneOf(
      kinds,
      'What is wrong: the newest event twice, the three newest in the wrong order, late, with a timestamp of ten minutes ago, with the signature of another secret, cut within the body, or the 1,000 newest at once, from the first again where there are fewer.',
    ),
    eventId: Type.Optional(
      int64({ description: 'Of this event instead of the newest.', minimum: 1, examples: [1] }),
    ),
    delayMs: Type.Optional(integer(0, 60_000, 'How late; 2,000 when absent.', 500)),
  },
  {
    $id: 'Misdelivery',
    description: 'Which messages are sent to a webhook at once, beside its deliveries.',
    allowed: 'a JSON object with as',
    examples: [{ as: 'twice' }],
  },
)
export type Misdelivery = Type.Static<typeof Misdelivery>
