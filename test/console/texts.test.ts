import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  PetstoreApiError,
  PetstoreClient,
  PetstoreConnectionError,
} from '../../client/src/index.ts'
import {
  describeError,
  isOutcomeUnknown,
  problemsByField,
} from '../../console/src/api/describe-error.ts'
import { neighbourOf, parseId } from '../../console/src/base/int64-text.ts'
import {
  isIdText,
  isText,
  parseSearch,
  searchReader,
  stringifySearch,
} from '../../console/src/base/search-params.ts'
import { visibleParts } from '../../console/src/base/visible-text.ts'
import { changedMembers, givenMembers } from '../../console/src/editor/members.ts'
import { isPetStatus } from '../../src/contract/pet-status.ts'

it('reads an id digit for digit, and nothing else as one', () => {
  const ids = ['1', ' 42 ', '9007199254740993', '9223372036854775807'].map(parseId)
  const others = ['', '-1', '1.0', '1e3', '01', '9223372036854775808', '٣', '1 2', '0x1'].map(
    parseId,
  )

  assert.deepEqual(ids, [1, 42, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n])
  assert.deepEqual(new Set(others), new Set([undefined]))
  assert.equal(neighbourOf(1, -1), 0n)
  assert.equal(neighbourOf(9_223_372_036_854_775_807n, 1), 9_223_372_036_854_775_807n)
})

it('an address keeps digits and odd texts, and leaves out what is not set', () => {
  const search = {
    name: '"7"&x=é 9007199254740993',
    category: '9007199254740993',
    status: undefined,
  }

  const address = stringifySearch(search)

  assert.deepEqual(parseSearch(address), { name: search.name, category: search.category })
  assert.equal(stringifySearch({}), '')
})

it('what makes no sense in an address is left out', () => {
  const read = searchReader({ status: isPetStatus, name: isText, category: isIdText, at: isIdText })

  assert.deepEqual(read({ status: 'lost', category: 'x', name: '', at: '-1', key: 'k' }), {})
})

it('shows what cannot be seen in a text, and nothing else', () => {
  const parts = visibleParts('a\u202eb\u0000\u200f')

  assert.deepEqual(parts, [
    { text: 'a' },
    { text: 'U+202E', isHidden: true },
    { text: 'b' },
    { text: 'U+0000', isHidden: true },
    { text: '' },
    { text: 'U+200F', isHidden: true },
    { text: '' },
  ])
  for (const plain of [
    '<img src=x onerror=alert(1)>',
    '</script>',
    '👩‍👩‍👧',
    '𝒳'.repeat(1_000),
    'נֶבֶל',
    '',
  ])
    assert.deepEqual(visibleParts(plain), [{ text: plain }])
})

it('tells what the service said, without the words for programs around it', () => {
  const answer = {
    status: 409,
    code: 'invalid_transition',
    message: '409 invalid_transition: Pet 1 is sold (from 2027). (updatePet, request a-1)',
    problems: [],
    headers: new Headers({ 'x-request-id': 'a-1' }),
    scopes: undefined,
  }
  const request = {
    operation: 'updatePet',
    attempts: 1,
    idempotencyKey: undefined,
    isOutcomeUnknown: false,
  }
  const lost = { ...request, isOutcomeUnknown: true }

  assert.equal(describeError(new PetstoreApiError(answer, request)), 'Pet 1 is sold (from 2027).')
  assert.match(describeError(new PetstoreConnectionError('x', request)), /Nothing was changed/)
  assert.match(describeError(new PetstoreConnectionError('x', lost)), /not known whether/)
  assert.match(
    describeError(new PetstoreApiError(answer, lost)),
    /^Pet 1 is sold.*not known whether/,
  )
  const gateway = { ...answer, status: 502, code: undefined, message: '502: something answered.' }
  assert.equal(
    describeError(new PetstoreApiError(gateway, lost)),
    'The service could not be reached (status 502). It is not known whether this was done: check before you repeat it.',
  )
  assert.ok(isOutcomeUnknown(new PetstoreConnectionError('x', lost)))
  assert.ok(!isOutcomeUnknown(new PetstoreApiError(answer, request)))
})

it("client and console say that a proxy's own 413 and 504 are of a proxy", async () => {
  for (const [status, limit] of [
    [413, 'client_max_body_size'],
    [504, 'proxy_read_timeout'],
  ] as const) {
    const fetch = async () => new Response('<html></html>', { status })
    const client = new PetstoreClient({ key: 'pet_test_x', maxRetries: 0, fetch })
    const error = await client.pets.delete(1).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof PetstoreApiError)
    const told = new RegExp(`^A proxy in front of the service [^(]+\\(${limit} in nginx\\)\\.`)
    assert.match(error.message.slice(`${status}: `.length), told)
    assert.match(describeError(error), told)
  }
})

it('puts the problems of a request at their fields', () => {
  const problems = [
    {
      pointer: '/name',
      detail: 'must be a string of 1 to 9 characters, none a lone surrogate; received "a; b"',
    },
    { pointer: '/name', detail: 'has a control character' },
    { pointer: '/categoryId', detail: 'is missing' },
    { detail: 'is odd' },
  ]
  const answer = {
    status: 400,
    code: 'invalid_body',
    message: 'm',
    problems,
    headers: new Headers(),
    scopes: undefined,
  }
  const request = {
    operation: 'createPet',
    attempts: 1,
    idempotencyKey: 'k',
    isOutcomeUnknown: false,
  }

  assert.deepEqual(problemsByField(new PetstoreApiError(answer, request)), {
    name: 'must be 1 to 9 characters, not only spaces; has a control character',
    categoryId: 'is missing',
    '': 'is odd',
  })
})

it('sends what was typed, and of a change only what differs', () => {
  const pet = { name: 'Rex', categoryId: 9_007_199_254_740_993n, status: 'sold' }
  const typed = { name: 'Rex', categoryId: undefined, status: undefined }

  assert.deepEqual(changedMembers({ ...pet, status: 'available' }, pet), { status: 'available' })
  assert.deepEqual(givenMembers(typed), { name: 'Rex' })
  assert.deepEqual(changedMembers(typed, pet), {})
})
