import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from './config.ts'

/** What the service tells its operator: one JSON object a line. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Writes to standard output unless there is another place. */
export function createLog({ logLevel: level }: Config, stream?: DestinationStream): Log {
  return stream ? pino({ level }, stream) : pino({ level })
}
