import { styleText } from 'node:util'
import { examine, type Group } from '../../admin/doctor/examine.ts'
import { storage } from '../../app/storage.ts'
import { loadConfig } from '../../config/config.ts'
import { ExitError, exitCodes } from '../../config/exit-error.ts'
import { systemClock } from '../../context/context.ts'
import { printable } from '../../telemetry/escape.ts'
import type { FlagsOf } from '../arguments/define-command.ts'
import { linesOf } from '../arguments/help.ts'
import { bold, counted, printJson } from '../text/print.ts'

/** `doctor`: examines what the service needs, and changes nothing. Resolves with the exit code `finding` on errors. */
export async function doctorCommand({ json, environment }: FlagsOf<'json'>): Promise<number> {
  const groups: Group[] = []
  for await (const group of groupsFor(environment)) {
    groups.push(group)
    if (!json) process.stdout.write(describeGroup(group))
  }
  const levels = groups.flatMap(({ findings }) => findings.map(({ level }) => level))
  const errors = levels.filter((level) => level === 'error').length
  const warnings = levels.filter((level) => level === 'warning').length
  if (json) printJson({ ok: errors === 0, errors, warnings, groups })
  else process.stdout.write(describeTotal(errors, warnings))
  return errors > 0 ? exitCodes.finding : 0
}

/** Without valid settings there is nothing else to examine. */
async function* groupsFor(environment: string | undefined): AsyncGenerator<Group> {
  let loaded: ReturnType<typeof loadConfig>
  try {
    loaded = loadConfig({ environment })
  } catch (problem) {
    if (!(problem instanceof ExitError)) throw problem
    yield { name: 'settings', findings: problemsIn(problem) }
    return
  }
  yield* examine({ ...loaded, clock: systemClock, storage })
}

function problemsIn({ message }: ExitError): Group['findings'] {
  return message.split('\n').map((line) => ({ check: 'values', level: 'error', message: line }))
}

const levelWidth = 'warning'.length
const styles = { ok: 'green', warning: 'yellow', error: 'red' } as const

/** A group in lines, for people. */
function describeGroup({ name, findings }: Group): string {
  if (findings.length === 0) return ''
  const lines = findings.flatMap(({ level, message }) => {
    const label = styleText(styles[level], level.padEnd(levelWidth))
    return linesOf([label, printable(message)], levelWidth)
  })
  return [bold(titleOf(name)), ...lines, ''].join('\n')
}

/** The numbers of errors and warnings, in one line for people. */
function describeTotal(errors: number, warnings: number): string {
  if (errors + warnings === 0) return '\nNothing is wrong.\n'
  return `\n${counted(errors, 'error')}, ${counted(warnings, 'warning')}.\n`
}

function titleOf(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
