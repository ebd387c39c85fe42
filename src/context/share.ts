/** How many of a kind of long work each key has in progress. */
export type Share = {
  /** Counts one more. Returns false where the key has as many as it may. */
  take(keyId: bigint): boolean
  giveBack(keyId: bigint): void
}

/** Limits each key to a quarter of what all keys together may have in progress. */
export function createShare(max: number): Share {
  const keyMax = Math.max(1, Math.floor(max / 4))
  const counts = new Map<bigint, number>()

  return {
    take(keyId) {
      const count = counts.get(keyId) ?? 0
      if (count >= keyMax) return false
      counts.set(keyId, count + 1)
      return true
    },
    giveBack(keyId) {
      const left = (counts.get(keyId) ?? 0) - 1
      if (left > 0) counts.set(keyId, left)
      else counts.delete(keyId)
    },
  }
}
