import { usageError } from '../../config/exit-error.ts'
import { eventTypes } from '../../features/event-types.ts'
import { didYouMean } from '../../nearest-name.ts'

/** A value of `--type`. Throws `usage`. */
export function readEventType(type: string): string {
  const known = Object.keys(eventTypes)
  if (known.includes(type)) return type
  const advice = didYouMean(type, known, { otherwise: '' })
  throw usageError(
    `--type must be one of ${known.join(', ')}; received ${JSON.stringify(type)}${advice}`,
  )
}
