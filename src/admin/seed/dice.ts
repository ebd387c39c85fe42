import { hash } from 'node:crypto'

/** Random choices that depend only on a seed. */
export type Dice = {
  /** An integer from 0 to `count` - 1. */
  below(count: number): number
  pick<T>(choices: readonly T[]): T
  /** True in this percentage of cases. */
  hits(percent: number): boolean
}

/** Gives equal results for equal seeds on every machine: sfc32, initialised with the SHA-256 of the seed. */
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
