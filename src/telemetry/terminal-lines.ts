import type { WriteStream } from 'node:tty'
import { inspect, styleText } from 'node:util'
import { printable } from './escape.ts'

type Style = Parameters<typeof styleText>[0]
type Line = Record<string, unknown> & { level: number; time: number; msg?: string }

/** Turns the log's lines of JSON into lines for a person: the time, what happened, and colours where the terminal has them. */
export function terminalLines(stream: WriteStream): (line: string) => string {
  const hasColors = stream.hasColors()
  const paint = (style: Style, text: string) =>
    hasColors ? styleText(style, text, { validateStream: false }) : text

  /** `15:04:05  200  GET /v1/pets?limit=20  1.2 ms` */
  function requestLine({ time, status, method, url, durationMs, code }: Line): string {
    const target = method === undefined ? '(not a request)' : `${method} ${url}`
    const end = [
      durationMs === undefined ? '' : `${Number(durationMs).toFixed(1)} ms`,
      code,
    ].filter(Boolean)
    const taken = 'hh:mm:ss  200    '.length + end.join('  ').length
    const shown = shortened(printable(target), (stream.columns || 80) - taken)
    return [
      paint('dim', timeOf(time)),
      paint(styleOf(Number(status)), String(status)),
      shown,
      ...end.map((text) => paint('dim', printable(String(text)))),
    ].join('  ')
  }

  function otherLine({ level, time, msg = '' }: Line): string {
    const [name, style] = levels.find(([, , least]) => level >= least) ?? debug
    return [paint('dim', timeOf(time)), paint(style, name), printable(msg)].join('  ')
  }

  return (text) => {
    const line = JSON.parse(text) as Line
    const isRequest = line.status !== undefined
    const { msg = '' } = line
    const details = detailsOf(line)
    const lines = [
      isRequest ? requestLine(line) : otherLine(line),
      ...(isRequest && msg !== 'request' ? [`    ${printable(msg)}`] : []),
      ...details.map((detail) => paint('dim', `    ${printable(detail)}`)),
    ]
    return `${lines.join('\n')}\n`
  }
}

/** The names of levels, their styles and the least of their numbers; the highest first. */
const levels: readonly [string, Style, number][] = [
  ['error', 'red', 50],
  ['warn', 'yellow', 40],
  ['info', 'green', 30],
]
const debug = ['debug', 'gray'] as const

function styleOf(status: number): Style {
  if (status >= 500) return 'red'
  if (status >= 400) return 'yellow'
  return status >= 300 ? 'cyan' : 'green'
}

/** Members that a line for a person has already, or has no use for. */
const notDetails = new Set([
  ...['level', 'time', 'pid', 'hostname', 'process', 'msg', 'requestId', 'method', 'url', 'status'],
  ...['operation', 'code', 'durationMs', 'keyId', 'address', 'aborted', 'traceparent', 'traceId'],
  ...['spanId', 'droppedLines', 'batchMs', 'commitMs', 'databaseMs', 'clientMs'],
])

/** What else a line says: the stack of an error, or names with values. */
function detailsOf(line: Line): string[] {
  return Object.entries(line)
    .filter(([name, value]) => !notDetails.has(name) && value !== line.msg)
    .flatMap(([name, value]) => {
      const stack = (value as { stack?: unknown } | null)?.stack
      if (typeof stack === 'string') return stack.split('\n')
      return [`${name}: ${typeof value === 'string' ? value : inspect(value, { breakLength: 76 })}`]
    })
    .flatMap((text) => text.split('\n'))
}

/** The time of day where the terminal is. */
function timeOf(ms: number): string {
  return new Date(ms).toTimeString().slice(0, 8)
}

const shortest = 20

function shortened(text: string, width: number): string {
  const lengthMax = Math.max(width, shortest)
  return text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
}
