import type { Connection } from '../connection.ts'
import { failureOf } from '../failures.ts'
import { completeCheckpoint } from './writer.ts'

/** Why the log of an earlier process cannot be checkpointed now. */
const obstacles = {
  full: 'the disk is full, and the log that an earlier process left has to be copied into the database first. Writes get 503 until there is room.',
  busy: 'another process reads it, and the log that an earlier process left has to be copied into the database first. Writes get 503 until it has been read.',
}

/** Checkpoints the log of an earlier process. Returns why that is impossible now; reads work without it. */
export function emptyLog(connection: Connection): string | undefined {
  try {
    completeCheckpoint(connection)
    return undefined
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'full' || failure === 'busy') return obstacles[failure]
    throw error
  }
}
