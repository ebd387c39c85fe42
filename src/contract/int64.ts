export const int64Min = -(2n ** 63n)
export const int64Max = 2n ** 63n - 1n

/** JSON text of plain data. A `bigint` is written as `{"int64":"…"}`, which decodes to a `bigint`. */
export function encodeInt64Json(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? { int64: String(member) } : member,
  )
}

/** Decodes the text of `encodeInt64Json`. Throws `SyntaxError`. */
export function decodeInt64Json(text: string): unknown {
  return JSON.parse(text, (_key, member) =>
    typeof member?.int64 === 'string' ? BigInt(member.int64) : member,
  )
}
