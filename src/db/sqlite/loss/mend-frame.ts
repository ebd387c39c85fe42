import {
  type Checksum,
  checksumAt,
  frameHeaderBytes,
  isEqual,
  type LogLayout,
  sumOfFrame,
} from './log-format.ts'

/**
 * A frame whose contents are proved by a checksum of 64 bits; `isMended`: after correcting a flipped bit; `isChanged`: which
 * was one of `bytes`.
 */
type Mended = { checksum: Checksum; isMended: boolean; isChanged: boolean }

type Neighbours = {
  layout: LogLayout
  salts: Buffer
  /** The checksum of the frame before. */
  before: Checksum
  /** The frame behind, where there is one. */
  next: Buffer | undefined
  /** Whether to search for a flipped bit, which takes some fifty milliseconds. */
  isSearched: boolean
}

/**
 * Proves a frame by its neighbours, and corrects a flipped bit in `bytes`, wherever in the frame it is. Returns `undefined` for a
 * frame that is damaged in another way, or is not of this log.
 */
export function mendFrame(
  bytes: Buffer,
  { layout, salts, before, next, isSearched }: Neighbours,
): Mended | undefined {
  const stored = checksumAt(bytes, 16)
  const computed = sumOfFrame(bytes, layout, before)
  const hasSalts = bytes.compare(salts, 0, 8, 8, 16) === 0
  // Also with other salts: the checksum follows from that of the frame before.
  if (isEqual(computed, stored)) return { checksum: stored, isMended: !hasSalts, isChanged: false }
  if (!hasSalts) return undefined
  // The frame behind follows from what this one's checksum was.
  if (next && isEqual(sumOfFrame(next, layout, computed), checksumAt(next, 16))) {
    return { checksum: computed, isMended: true, isChanged: false }
  }
  return isSearched && correctBit(bytes, layout, before, stored)
    ? { checksum: stored, isMended: true, isChanged: true }
    : undefined
}

/** Finds the one bit that the checksum proves to be wrong, and corrects it. */
function correctBit(bytes: Buffer, layout: LogLayout, before: Checksum, stored: Checksum): boolean {
  for (let at = 0; at < bytes.length; at++) {
    // The salts and the checksum are not summed.
    if (at >= 8 && at < frameHeaderBytes) continue
    const byte = bytes[at] as number
    for (let bit = 1; bit < 256; bit <<= 1) {
      bytes[at] = byte ^ bit
      if (isEqual(sumOfFrame(bytes, layout, before), stored)) return true
    }
    bytes[at] = byte
  }
  return false
}
