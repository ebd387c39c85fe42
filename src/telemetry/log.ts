import { hostname } from 'node:os'
import { type DestinationStream, type Logger, pino } from 'pino'
import { type Config, processNumber } from '../config/config.ts'
import { timeOfDay } from '../context/context.ts'
import { maskKeys } from '../contract/key-text.ts'
import { escapeUnsafe } from './escape.ts'

/** The log for operators: one JSON object a line. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>

/** What log lines are written to. */
export type LogStream = DestinationStream

const number = processNumber()
const base = {
  pid: process.pid,
  hostname: hostname(),
  ...(number === undefined ? {} : { process: Number(number) }),
}
const baseMembers = JSON.stringify(base).slice(1, -1)

/** Keys are masked in every line; no line has characters that control a terminal. */
export function createLog({ logLevel: level }: Pick<Config, 'logLevel'>, stream: LogStream): Log {
  return pino(
    { level, base, hooks: { streamWrite: (line) => escapeUnsafe(maskKeys(line)) } },
    stream,
  )
}

/** The beginning of a line, as pino writes it. */
export function lineStart(level: number): string {
  return `{"level":${level},"time":${timeOfDay()},${baseMembers}`
}

/** The line that stands where lines were dropped. */
export function droppedLine(count: number): string {
  const sentence = `${count} lines of the log were dropped here: they were not read, or could not be written.`
  return `${lineStart(40)},"droppedLines":${count},"msg":${JSON.stringify(sentence)}}\n`
}
