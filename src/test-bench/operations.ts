import { defineOperation, type Operation } from '../contract/operation.ts'
import { int64 } from '../contract/schemas.ts'
import * as Type from '../contract/type.ts'
import {
  accounting,
  IssuedWebhook,
  secret,
  webhookRecord,
} from '../features/webhooks/contract/webhooks.ts'
import { documentOperation } from '../openapi/get-document.ts'
import {
  ClockChange,
  journalFilter,
  Misdelivery,
  NewFault,
  NewTestKey,
  ResetRequest,
  snapshotName,
} from './contract.ts'
import { fixtureSizeMaxBytes } from './fixture-size.ts'

const tag = {
  name: 'bench',
  displayName: 'Test bench',
  description: 'Controls a store in memory, for tests.',
}

/** Common to all operations: they take only the key that the start printed, and refuse unknown names. */
const control = {
  tag,
  scope: 'bench:control',
  lifecycle: {},
  isStrict: true,
  deniesCors: true,
} as const

function defineControl<
  const Rest extends Omit<Operation, keyof typeof control | Given> & { example?: object },
>(operationId: string, method: Operation['method'], path: string, rest: Rest) {
  const { summary, example } = rest
  const examples = { name: 'example', summary: 'Done.', response: example }
  return { ...control, operationId, method, path, ...rest, description: summary, examples }
}

type Given = 'operationId' | 'method' | 'path' | 'description' | 'examples'

/** Returns nothing. */
const done = { returns: 'nothing', item: Type.Object({}), errors: ['body_too_large'] } as const

/** Returns an object such as this. */
function valueLike<Value extends object>(example: Value) {
  const item = Type.Unsafe<Value>({ type: 'object', additionalProperties: true })
  return { returns: 'value', item, example, errors: [] } as const
}

/** A body may be absent, and as large as a fixture. */
function bodyOf<Schema extends Type.TSchema>(schema: Schema) {
  return {
    mediaTypes: ['application/json'],
    sizeMaxBytes: fixtureSizeMaxBytes,
    isOptional: true,
    schema,
  } as const
}

const snapshot = {
  name: 'name',
  type: 'text',
  record: 'snapshot',
  description: 'The name of the snapshot.',
  schema: snapshotName,
  example: 'two-pets',
} as const

const idOf = (record: string) =>
  ({
    name: `${record}Id`,
    record,
    description: `The identifier of the ${record}.`,
    example: 1,
  }) as const

const clockExample = { now: '2026-11-22T12:00:00.000Z', frozen: false }
const faultExample = { operation: 'createPet', nth: 1, cut: 'after', id: 1, matched: 0, applied: 0 }
const entryExample = {
  number: 1,
  at: '2026-11-22T12:00:00.000Z',
  requestId: '4f8dd96a-13a7-4f2c-8b4f-a8a8ee1b2cf6',
  method: 'POST',
  target: '/v1/pets',
  operation: 'createPet',
  headers: { host: '127.0.0.1:8080', 'content-type': 'application/json' },
  status: 201,
  isDeprecated: false,
  ignored: [],
  durationMs: 1.3,
  body: '{"name":"Rex","categoryId":1}',
}

export const resetStoreOperation = defineControl('resetStore', 'POST', '/reset', {
  summary:
    'Reset the contents, ids, idempotency keys, faults, journal and clock; API keys, snapshots and kept webhooks stay',
  body: bodyOf(ResetRequest),
  ...done,
  errors: ['not_found'],
})

export const listSnapshotsOperation = defineControl('listSnapshots', 'GET', '/snapshots', {
  summary: 'List the names of the snapshots',
  ...valueLike({ names: ['two-pets'] }),
})

export const saveSnapshotOperation = defineControl('saveSnapshot', 'PUT', '/snapshots/{name}', {
  pathParameters: [snapshot],
  summary: 'Save the contents under a name',
  ...done,
  errors: ['invalid_body', 'body_too_large'],
})

export const deleteSnapshotOperation = defineControl(
  'deleteSnapshot',
  'DELETE',
  '/snapshots/{name}',
  {
    pathParameters: [snapshot],
    summary: 'Delete a snapshot',
    ...done,
    errors: ['not_found', 'body_too_large'],
  },
)

export const getClockOperation = defineControl('getClock', 'GET', '/clock', {
  summary: 'Read the clock of the store',
  ...valueLike(clockExample),
})

export const changeClockOperation = defineControl('changeClock', 'PATCH', '/clock', {
  summary:
    'Set, advance, stop or start the clock; jobs that fall due, such as expiring holds, run before the response',
  body: bodyOf(ClockChange),
  ...valueLike(clockExample),
})

export const addFaultOperation = defineControl('addFault', 'POST', '/faults', {
  summary: 'Add a fault; of several that match a request, the first is applied',
  body: bodyOf(NewFault),
  ...valueLike<object>(faultExample),
})

export const listFaultsOperation = defineControl('listFaults', 'GET', '/faults', {
  summary: 'List the faults and how often they were applied',
  ...valueLike<object>({ faults: [faultExample] }),
})

export const clearFaultsOperation = defineControl('clearFaults', 'DELETE', '/faults', {
  summary: 'Remove all faults',
  ...done,
})

export const removeFaultOperation = defineControl('removeFault', 'DELETE', '/faults/{faultId}', {
  pathParameters: [idOf('fault')],
  summary: 'Remove a fault by its id',
  ...done,
  errors: ['not_found', 'body_too_large'],
})

export const issueTestKeyOperation = defineControl('issueTestKey', 'POST', '/keys', {
  summary:
    'Issue an API key: with some scopes, for a while, expired, revoked, or of the other environment',
  body: bodyOf(NewTestKey),
  ...valueLike({ key: 'pet_test_…' }),
})

export const keepWebhookOperation = defineControl('keepWebhook', 'POST', '/webhooks', {
  summary: 'Add a webhook that each reset adds again, with its secret',
  body: webhookRecord.New,
  returns: 'value',
  item: IssuedWebhook,
  example: { ...accounting, secret },
  errors: ['too_many_webhooks'],
})

export const misdeliverOperation = defineControl(
  'misdeliver',
  'POST',
  '/webhooks/{webhookId}/messages',
  {
    pathParameters: [idOf('webhook')],
    summary: 'Send messages to a webhook as they come at worst: twice, late, forged, cut',
    body: Misdelivery,
    ...valueLike<object>({ messages: [{ eventId: 1, durationMs: 3, responseStatus: 204 }] }),
    errors: ['invalid_body', 'not_found', 'body_too_large'],
  },
)

export const listRequestsOperation = defineControl('listRequests', 'GET', '/journal', {
  summary: 'List the requests below /v1 since the last reset, oldest first',
  query: journalFilter,
  ...valueLike<object>({ requests: [entryExample], dropped: 0 }),
})

export const listStoreEventsOperation = defineControl('listStoreEvents', 'GET', '/events', {
  summary: 'List the next 1,000 events of the store, oldest first; beside the journal',
  query: Type.Object({
    after: Type.Optional(
      int64({ description: 'Only events behind this one.', minimum: 1, examples: [1] }),
    ),
  }),
  ...valueLike<{ events: unknown[] }>({ events: [] }),
  errors: ['events_expired'],
})

export const clearJournalOperation = defineControl('clearJournal', 'DELETE', '/journal', {
  summary: 'Clear the journal',
  ...done,
})

/** Gets the document of the test bench, which is apart from that of the service. */
export const getTestBenchDocumentOperation = defineOperation({
  ...documentOperation('getTestBenchDocument', tag),
  deniesCors: true,
})
