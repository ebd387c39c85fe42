import { ServiceError } from '../errors.ts'

/** The same instant on every thread of the process, in milliseconds, whatever the system's clock is set to. */
export const instantMs = (): number => performance.timeOrigin + performance.now()

/** Throws `unavailable` once the instant has passed. */
export function checkTimeUntil(deadlineMs: number): () => void {
  return () => {
    if (instantMs() > deadlineMs) {
      throw new ServiceError(
        'unavailable',
        'Counting took too long. Ask for fewer, or without a count.',
        {
          headers: { 'retry-after': '1' },
        },
      )
    }
  }
}
