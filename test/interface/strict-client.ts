/**
 * A client as a customer would have generated it on the day the interface was published: written from `interface
 * 1.0.0` alone. It refuses every member, status and form that the interface does not describe, and is never changed:
 * a service that it cannot read breaks customers.
 */

type PetStatus = 'available' | 'pending' | 'sold'
type NewPet = { name: string; categoryId: bigint; status?: PetStatus }
type Pet = NewPet & { id: bigint }
type Problem = { code: string; message: string; status: number }

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** An error that the interface describes. */
export class PetStoreError extends Error {
  readonly body: Problem

  constructor(body: Problem) {
    super(body.message)
    this.body = body
  }
}

export function createStrictClient(baseUrl: string, apiKey: string, fetch: Fetch) {
  async function call(
    path: string,
    init: RequestInit,
    success: number,
    errors: number[],
  ): Promise<unknown> {
    const headers = { ...init.headers, Authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${baseUrl}${path}`, { ...init, headers })
    const type = response.headers.get('content-type') ?? ''
    expect(/^application\/json\b/.test(type), `an answer of JSON instead of ${type}`)
    const body = parseExactly(await response.text())
    if (response.status === success) return body
    expect(errors.includes(response.status), `${path} has no answer ${response.status}`)
    const problem = readError(body)
    expect(problem.status === response.status, 'status equals the HTTP status')
    throw new PetStoreError(problem)
  }

  return {
    async listPets(query: { limit?: number; status?: PetStatus } = {}): Promise<Pet[]> {
      const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
      const text = new URLSearchParams(Object.fromEntries(entries)).toString()
      const body = await call(`/pets${text && `?${text}`}`, { method: 'GET' }, 200, [401])
      expect(Array.isArray(body), 'Pets is a bare array')
      const pets = (body as unknown[]).map(readPet)
      expect(pets.length <= (query.limit ?? 20), 'there are at most limit pets')
      return pets
    },
    async createPet(newPet: NewPet): Promise<Pet> {
      const body = JSON.stringify(newPet, (_key, value) =>
        typeof value === 'bigint' ? rawNumber(value) : value,
      )
      const headers = { 'Content-Type': 'application/json' }
      const init = { method: 'POST', headers, body }
      return readPet(await call('/pets', init, 201, [400, 401]))
    },
    async getPet(petId: bigint): Promise<Pet> {
      return readPet(await call(`/pets/${petId}`, { method: 'GET' }, 200, [401, 404]))
    },
  }
}

function expect(isSo: boolean, rule: string): asserts isSo {
  if (!isSo) throw new TypeError(`The interface says: ${rule}.`)
}

/** Integers as `bigint`, with every digit: `JSON.parse` alone would round them. */
function parseExactly(text: string): unknown {
  return JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? '')
      : value,
  )
}

function rawNumber(value: bigint): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(value))
}

/** Section 2. */
function readPet(value: unknown): Pet {
  const { id, name, categoryId, status } = readMembers(
    value,
    ['id', 'name', 'categoryId'],
    ['status'],
  )
  expect(isInt64(id), 'id is an int64')
  expect(typeof name === 'string', 'name is a string')
  expect(isInt64(categoryId), 'categoryId is an int64')
  if (status === undefined) return { id, name, categoryId }
  expect(isPetStatus(status), 'status is available, pending or sold')
  return { id, name, categoryId, status }
}

/** Sections 2 and 7. */
function readError(value: unknown): Problem {
  const { code, message, status } = readMembers(value, ['code', 'message', 'status'], [])
  expect(typeof code === 'string', 'code is a string')
  expect(typeof message === 'string', 'message is a string')
  expect(typeof status === 'bigint', 'status is an integer')
  return { code, message, status: Number(status) }
}

function readMembers(
  value: unknown,
  required: readonly string[],
  optional: readonly string[],
): Record<string, unknown> {
  expect(typeof value === 'object' && value !== null && !Array.isArray(value), 'it is an object')
  const members = value as Record<string, unknown>
  for (const name of required) expect(Object.hasOwn(members, name), `${name} is required`)
  for (const name of Object.keys(members)) {
    expect(required.includes(name) || optional.includes(name), `there is no member ${name}`)
    expect(members[name] !== undefined && members[name] !== null, `${name} is never null`)
  }
  return members
}

function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value === BigInt.asIntN(64, value)
}

function isPetStatus(value: unknown): value is PetStatus {
  return value === 'available' || value === 'pending' || value === 'sold'
}
