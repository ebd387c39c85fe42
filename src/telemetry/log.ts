import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import { maskKeys, needsMask } from '../features/keys/mask-keys.ts'

/** The log for operators: one JSON object a line. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Writes to standard output unless another stream is given. Keys are masked in every line, in every encoding. */
export function createLog({ logLevel: level }: Config, stream?: DestinationStream): Log {
  const options = { level, hooks: { streamWrite: withoutKeys } }
  return stream ? pino(options, stream) : pino(options)
}

function withoutKeys(line: string): string {
  return needsMask(line) ? `${JSON.stringify(masked(JSON.parse(line)))}\n` : line
}

function masked(value: unknown): unknown {
  if (typeof value === 'string') return maskKeys(value)
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value)
  return Object.fromEntries(members.map(([name, member]) => [maskKeys(name), masked(member)]))
}
