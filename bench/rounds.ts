type Plan = {
  /** 0, which only warms up, or 1. */
  first: number
  last: number
  onRound?: (round: number) => void
}

/** What is measured next: each side of each row once a round, the sides in an order that changes from round to round. */
export function* interleave<Row, Side>(
  rows: readonly Row[],
  sidesOf: (row: Row) => readonly Side[],
  { first, last, onRound }: Plan,
): Generator<{ round: number; row: Row; side: Side }> {
  for (let round = first; round <= last; round++) {
    onRound?.(round)
    for (const row of rows) {
      for (const side of rotate(sidesOf(row), round)) yield { round, row, side }
    }
  }
}

/** Each round starts with the next side. Every other round is in reverse, so that none always follows the same one. */
export function rotate<T>(sides: readonly T[], round: number): T[] {
  const step = round % 2 === 0 ? 1 : -1
  return sides.map((_, index) => sides.at((round + step * index) % sides.length) as T)
}
