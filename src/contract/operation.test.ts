import assert from 'node:assert/strict'
import { it } from 'node:test'
import { contract } from '../app/operations.ts'
import type { StreamContext } from '../context/context.ts'
import { type DeclaredScope, scopes } from '../features/scopes.ts'
import { type Implementation, implement } from '../http/implement.ts'
import { defineOperation, isStreamed, type Operation } from './operation.ts'
import { serviceTag } from './tags.ts'
import * as Type from './type.ts'

const withoutScope = {
  operationId: 'getWeather',
  method: 'GET',
  path: '/weather',
  tag: serviceTag,
  summary: 'Get the weather',
  description: 'Returns the weather.',
  lifecycle: {},
  returns: 'value',
  item: Type.Object({}),
  errors: [],
  examples: { name: 'rain', summary: 'Rain', response: {} },
} as const

/** Where the store serves operations. */
type Served = readonly Implementation<DeclaredScope | 'public'>[]

it('what makes no sense of an operation of its kind does not compile', () => {
  const repeatable = {
    ...withoutScope,
    scope: 'pets:write',
    method: 'POST',
    idempotency: 'replayed',
  } as const
  const csv = { mediaTypes: ['text/csv'], sizeMaxBytes: 1 } as const
  const open = { ...withoutScope, scope: 'public' } as const

  const whole = defineOperation({ ...repeatable, body: csv })
  // @ts-expect-error: the response is streamed
  const streamedOut = defineOperation({ ...repeatable, returns: 'stream' })
  // @ts-expect-error: nobody's key
  const anybodys = defineOperation({ ...repeatable, scope: 'public' })
  // @ts-expect-error: only a file is downloaded
  const downloaded = defineOperation({ ...open, isDownload: true })
  // @ts-expect-error: a page has a schema of its own
  const listed = defineOperation({ ...open, returns: 'page' })
  // @ts-expect-error: only a stream outlasts its key
  implement(defineOperation(open), async (_: StreamContext) => ({}))

  const all = [whole, streamedOut, anybodys, downloaded, listed] as Operation[]
  assert.deepEqual(all.map(isStreamed), [false, true, false, false, false])
})

it('an operation names a scope that a feature declares, or is public; another does not compile', () => {
  const open = defineOperation({ ...withoutScope, scope: 'public' })
  const own = defineOperation({ ...withoutScope, scope: 'pets:read' })
  const misspelt = defineOperation({ ...withoutScope, scope: 'pets:raed' })
  const verb = async () => ({})

  // @ts-expect-error: it names no scope, and is not public
  const scopeless = defineOperation(withoutScope)
  // @ts-expect-error: no feature declares this scope
  const refused: Served = [implement(misspelt, verb)]
  const served: Served = [implement(open, verb), implement(own, verb)]

  assert.deepEqual([scopeless.operationId, refused.length, served.length], ['getWeather', 1, 2])
  for (const { scope } of contract)
    assert.ok(['public', 'anyKey', ...scopes].includes(scope), scope)
})
