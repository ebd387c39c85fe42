/** Longer names are no typos of ours, and a comparison costs the product of two lengths. */
const lengthMax = 40
const prefixLengthMin = 3

/**
 * The known name that a mistyped one most likely means, if any is near: case, `_` and `-` do not count, a beginning of
 * three characters is near, and so is what differs in a third of its characters, two swapped ones counting once.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > lengthMax) return undefined
  const written = plain(name)
  let nearest: string | undefined
  let nearestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const distance = distanceBetween(written, plain(candidate))
    if (distance < nearestDistance) [nearest, nearestDistance] = [candidate, distance]
  }
  return nearest
}

/** The end of a sentence that a name is unknown: with the nearest known one, else `otherwise`. */
export function didYouMean(
  name: string,
  known: readonly string[],
  { before = '', otherwise = '.' } = {},
): string {
  const nearest = nearestName(name, known)
  return nearest === undefined ? otherwise : `; did you mean ${before}${nearest}?`
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** Infinite where the names are not near. */
function distanceBetween(a: string, b: string): number {
  if (a === b) return 0
  if (a === '') return Number.POSITIVE_INFINITY
  const isBeginning = a.length >= prefixLengthMin && b.startsWith(a)
  const max = Math.max(1, Math.floor(Math.max(a.length, b.length) / 3))
  const isComparable = Math.abs(a.length - b.length) <= max
  const distance = isComparable ? editDistance(a, b) : Number.POSITIVE_INFINITY
  if (distance <= max) return distance
  return isBeginning ? max : Number.POSITIVE_INFINITY
}

/**
 * The cost of turning one list into another (optimal string alignment): 1 for each item that is inserted, deleted or swapped with
 * its neighbour; `costOf` for each that is replaced.
 */
export function editDistance(
  a: ArrayLike<string>,
  b: ArrayLike<string>,
  costOf = (before: string, after: string) => Number(before !== after),
): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + costOf(a[i - 1] as string, b[j - 1] as string)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? at(beforeLast, j - 2) + 1 : replaced
      row.push(Math.min(replaced, swapped, at(last, j) + 1, at(row, j - 1) + 1))
    }
    ;[beforeLast, last] = [last, row]
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}
