import type { Command, Option } from '../arguments/define-command.ts'
import { parseOptions, takesValue } from '../arguments/parse-options.ts'
import { commandsBelow, findCommand } from '../find-command.ts'
import { findService } from './find-service.ts'
import { type Row, textOf } from './lay-out.ts'
import { readProfiles } from './profiles.ts'
import type { Flags } from './read-request.ts'
import { transportTo } from './run-operation.ts'
import { table } from './table.ts'

const idsMax = 100
/** A shell waits for it. */
const timeoutMs = 2_000

/** `complete SHELL WORD…`: prints what may stand in place of the last word, and nothing where that is unknown. */
export async function completeCommand([shell, ...words]: readonly string[]): Promise<number> {
  const typed = words.at(-1) ?? ''
  const candidates = await candidatesFor(words.slice(0, -1), typed).catch(() => [])
  const found = candidates.filter(({ word }) => word.startsWith(typed))
  const lines = found.map(({ word, note }) =>
    shell === 'fish' && note ? `${word}\t${note}\n` : `${word}\n`,
  )
  process.stdout.write(lines.join(''))
  return 0
}

type Candidate = { word: string; note?: string }

const plain = (words: readonly string[]): Candidate[] => words.map((word) => ({ word }))

async function candidatesFor(before: readonly string[], typed: string): Promise<Candidate[]> {
  const { name, target, rest } = findCommand(before)
  if ('overHttp' in target || 'commands' in target) {
    const { commands, overHttp } = commandsBelow(target)
    return rest.length === 0 ? plain(Object.keys({ ...commands, ...overHttp })) : []
  }
  const command = target as Command
  const last = rest.at(-1) ?? ''
  const option = last.startsWith('--') ? command.options[last.slice(2)] : undefined
  if (option && takesValue(option)) return plain(valuesOf(last, option))
  if (typed.startsWith('-')) return plain(Object.keys(command.options).map((one) => `--${one}`))
  const parsed = parseOptions(command, name, rest)
  if (typeof parsed === 'string') return []
  if (name === 'petstore completion') return plain(['bash', 'zsh', 'fish'])
  return idsFor(name, parsed.flags as Flags, parsed.given)
}

function valuesOf(word: string, option: Option): readonly string[] {
  if (word === '--profile' || word === '--use') return Object.keys(readProfiles().profiles)
  return ('values' in option && option.values) || []
}

/** The ids of the records of which the next argument names one: those of the list at the path before it. */
async function idsFor(name: string, flags: Flags, given: readonly string[]): Promise<Candidate[]> {
  const [, group = '', verb = ''] = name.split(' ')
  const { operation, ids = [] } = table[group]?.[verb] ?? {}
  if (operation === undefined || given.length >= ids.length) return []
  const listPath = operation.path.split(/\/\{\w+\}/, given.length + 1).join('/{}')
  const list = Object.values(table)
    .flatMap((entries) => Object.values(entries))
    .find(
      (one) => one.kind === 'list' && one.operation.path.replaceAll(/\{\w+\}/g, '{}') === listPath,
    )
  if (list === undefined) return []
  const transport = transportTo(await findService({ ...flags, 'key-stdin': false }))
  const input = { ids: given.map(BigInt), query: { limit: idsMax } }
  const rows = await transport.call<Row[]>(list.operation, input, { timeoutMs, maxRetries: 0 })
  const [id = 'id'] = Object.keys(list.columns)
  return rows.map((row) => ({ word: textOf(row[id]), note: textOf(row.name).slice(0, 40) }))
}
