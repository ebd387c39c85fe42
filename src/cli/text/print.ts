import { styleText } from 'node:util'
import { systemClock } from '../../context/context.ts'

/** Prints a result as one line of JSON; ids as text, since a double cannot hold every id. */
export function printJson(value: unknown): void {
  const text = JSON.stringify(value, (_name, one) => (typeof one === 'bigint' ? String(one) : one))
  process.stdout.write(`${text}\n`)
}

/** A text in bold on standard output, where that is a terminal. */
export function bold(text: string): string {
  return styleText('bold', text)
}

/** Prints a line on standard error. */
export function tell(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

export function numberOf(count: number): string {
  return count.toLocaleString('en-US')
}

/** Such as `1 pet` or `1,200 pets`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberOf(count)} ${count === 1 ? noun : plural}`
}

/** Such as `1.2 s`. */
export function timeSince(startMs: number): string {
  return `${((systemClock() - startMs) / 1_000).toFixed(1)} s`
}
