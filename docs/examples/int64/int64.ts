// Needs JSON.rawJSON, as in Node 22. An older engine throws instead of rounding; parseJson and stringifyJson of petstore-client work there.
const members = new Set(['id', 'petId', 'categoryId'])

/** Reads each int64 as a bigint: JSON.parse(text, exact). */
export function exact(key: string, value: unknown, context?: { source?: string }): unknown {
  return members.has(key) && typeof value === 'number' ? BigInt(context?.source as string) : value
}

// JSON.stringify writes a bigint as digits.
Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  value(this: bigint) {
    return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(String(this))
  },
})

/** A response whose json() is exact. */
class ExactResponse extends Response {
  override async json(): Promise<unknown> {
    return JSON.parse(await this.text(), exact)
  }
  override clone(): ExactResponse {
    return new ExactResponse(super.clone().body, this)
  }
}

/** In place of fetch. */
export async function exactFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request)
  const text = await response.text()
  const exactResponse = new ExactResponse(text || null, response)
  // openapi-fetch calls json() only where the length is known.
  exactResponse.headers.set('content-length', String(text.length))
  return exactResponse
}
