import { weightsOf } from '../request/header-list.ts'

/** Of codings with equal weight, the first is sent. */
const codings = ['br', 'gzip', 'identity'] as const

export type Coding = (typeof codings)[number]

/** The content coding that the client prefers (RFC 9110, section 12.5.3). */
export function codingFor(acceptEncoding: string | string[] | undefined): Coding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = weightsOf(String(acceptEncoding))
  const others = weights.get('*') ?? 0
  let best: Coding = 'identity'
  let highest = 0
  for (const coding of codings) {
    // Identity is acceptable unless excluded, and comes last where it is not named.
    const weight = weights.get(coding) ?? (coding === 'identity' ? Number.MIN_VALUE : others)
    if (weight > highest) [best, highest] = [coding, weight]
  }
  return best
}
