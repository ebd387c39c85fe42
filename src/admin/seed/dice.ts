import { hash } from 'node:crypto'

/** Chance that depends on a seed alone. */
export type Dice = {
  /** An integer from 0 on, less than `count`. */
  below(count: number): number
  pick<T>(choices: readonly T[]): T
  /** True in so many of a hundred cases. */
  hits(percent: number): boolean
}

/** Dice that fall the same way for the same seed, on every machine: sfc32, begun from a SHA-256 of the seed. */
export function createDice(seed: string): Dice {
  const digest = hash('sha256', seed, 'buffer')
  let [a, b, c] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8)]
  let counter = 1

  function below(count: number): number {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return Math.floor(((sum >>> 0) / 2 ** 32) * count)
  }

  return {
    below,
    pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T,
    hits: (percent) => below(100) < percent,
  }
}
