/** The first text that sorts after all texts with this prefix; `undefined` when there is none. */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (point) => point.codePointAt(0) as number)
  while (points.length > 0) {
    const last = points.pop() as number
    if (last < 0x10ffff) {
      // Skips lone surrogates, which no text contains.
      return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
    }
  }
  return undefined
}
