export const int64Min = -(2n ** 63n)
export const int64Max = 2n ** 63n - 1n

/** JSON text of plain data. A `bigint` is written as `{"int64":"…"}`, so that it is one again when it is read. */
export function encodeInt64Json(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    typeof member === 'bigint' ? { int64: String(member) } : member,
  )
}

/** The plain data that `encodeInt64Json` was given. Throws `SyntaxError`. */
export function decodeInt64Json(text: string): unknown {
  return JSON.parse(text, (_key, member) =>
    typeof member?.int64 === 'string' ? BigInt(member.int64) : member,
  )
}
