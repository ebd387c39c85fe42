/** Whether two plain values are equal, with all that they contain. */
export function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other
  const members = Object.entries(one)
  return (
    members.length === Object.keys(other).length &&
    members.every(([name, value]) => isSame(value, other[name]))
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
