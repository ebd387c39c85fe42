import { styleText } from 'node:util'
import type { Group } from '../admin/doctor/examine.ts'
import type { Level } from '../admin/doctor/finding.ts'
import { printable } from '../telemetry/escape.ts'
import { wrapped } from './help.ts'

const width = 80
const levelWidth = 'warning'.length
const styles = { ok: 'green', warning: 'yellow', error: 'red' } as const

/** All findings as one line of JSON. */
export function describeExamination(groups: readonly Group[]): string {
  const { error, warning } = countsOf(groups)
  const shown = groups.map(({ name, findings }) => ({ name, findings }))
  return `${JSON.stringify({ ok: error === 0, errors: error, warnings: warning, groups: shown })}\n`
}

/** A group in lines of at most 80 columns, for people. */
export function describeGroup({ name, findings }: Group, stream: NodeJS.WriteStream): string {
  if (findings.length === 0) return ''
  const lines = findings.flatMap(({ level, message }) => {
    const parts = wrapped(printable(message), width - levelWidth - 4)
    const label = styleText(styles[level], level.padEnd(levelWidth), { stream })
    return parts.map((part, index) => `  ${index === 0 ? label : ' '.repeat(levelWidth)}  ${part}`)
  })
  return [styleText('bold', titleOf(name), { stream }), ...lines, ''].join('\n')
}

/** The numbers of errors and warnings, in one line for people. */
export function describeTotal(groups: readonly Group[]): string {
  const { error, warning } = countsOf(groups)
  if (error + warning === 0) return '\nNothing is wrong.\n'
  return `\n${counted(error, 'error')}, ${counted(warning, 'warning')}.\n`
}

function countsOf(groups: readonly Group[]): Record<Level, number> {
  const counts = { ok: 0, warning: 0, error: 0 }
  for (const { findings } of groups) for (const { level } of findings) counts[level] += 1
  return counts
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
