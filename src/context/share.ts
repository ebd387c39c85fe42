/** How many of a kind of long work each key has in progress. */
export type Share = {
  /** Counts one more. Returns false where the key has as many as it may, or all keys together do. */
  take(keyId: bigint): boolean
  giveBack(keyId: bigint): void
}

/** Limits all keys together to so much in progress, and each of them to a quarter of that. */
export function createShare(max: number): Share {
  const keyMax = Math.max(1, Math.floor(max / 4))
  const counts = new Map<bigint, number>()
  let total = 0

  return {
    take(keyId) {
      const count = counts.get(keyId) ?? 0
      if (count >= keyMax || total >= max) return false
      counts.set(keyId, count + 1)
      total += 1
      return true
    },
    giveBack(keyId) {
      const left = (counts.get(keyId) ?? 0) - 1
      total -= 1
      if (left > 0) counts.set(keyId, left)
      else counts.delete(keyId)
    },
  }
}
