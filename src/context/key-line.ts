/**
 * What waits, in a line for each key. The keys take turns, and of a key comes first what has waited longest, so that a key
 * with much in line waits for itself. What has no key shares one line.
 */
export class KeyLine<Item> {
  /** In the order of the keys' turns. */
  readonly #lines = new Map<bigint | undefined, Item[]>()
  size = 0

  add(keyId: bigint | undefined, item: Item): void {
    const line = this.#lines.get(keyId)
    if (line) line.push(item)
    else this.#lines.set(keyId, [item])
    this.size += 1
  }

  /** Takes the oldest of the key whose turn it is; its next turn is behind those of all other keys. */
  take(): Item | undefined {
    for (const [keyId, line] of this.#lines) {
      this.#lines.delete(keyId)
      if (line.length > 1) this.#lines.set(keyId, line)
      this.size -= 1
      return line.shift()
    }
    return undefined
  }

  /** Takes the oldest of the key with most in line. */
  takeOfLongest(): Item | undefined {
    let longest: { keyId: bigint | undefined; line: Item[] } | undefined
    for (const [keyId, line] of this.#lines)
      if (line.length > (longest?.line.length ?? 0)) longest = { keyId, line }
    if (!longest) return undefined
    if (longest.line.length === 1) this.#lines.delete(longest.keyId)
    this.size -= 1
    return longest.line.shift()
  }
}
