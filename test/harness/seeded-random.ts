/** Numbers that look random and depend on the seed alone (mulberry32). */
export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** In [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.next()
  }
}

/** The seed of a run that names none; the run prints it. */
export function freshSeed(): number {
  return Math.floor(Math.random() * 2 ** 32)
}
