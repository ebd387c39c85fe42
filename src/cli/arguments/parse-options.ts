import { parseArgs } from 'node:util'
import { didYouMean } from '../../nearest-name.ts'
import { printable } from '../../telemetry/escape.ts'
import type { Command, Option } from './define-command.ts'

/** The options and the arguments of a command, or a sentence that says what is wrong with them. */
type Parsed = { flags: Record<string, unknown>; given: string[] } | string

/** Reads the words behind the name of a command. */
export function parseOptions(
  { options, argumentsMax }: Command,
  command: string,
  words: readonly string[],
): Parsed {
  const flags = Object.fromEntries(Object.entries(options).map(initialOf))
  const given: string[] = []
  const types = Object.entries(options).map(([name, option]) => [
    name,
    { type: takesValue(option) ? ('string' as const) : ('boolean' as const) },
  ])
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(types),
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === 'positional') {
      given.push(token.value)
      if (given.length > argumentsMax) return describeArgument(command, argumentsMax, token.value)
    }
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const option = rawName.startsWith('--') ? options[name] : undefined
    if (option === undefined) return describeUnknownOption(rawName, Object.keys(options))
    if (!takesValue(option)) {
      // Not repeated: it may be the key that was to come from standard input.
      if (value !== undefined) return `--${name} takes no value; leave out what follows the =.`
      flags[name] = option.kind === 'flag' ? true : Number(flags[name]) + 1
      continue
    }
    // A lone `-` is standard input, and `-id` an order.
    const isOption = value !== undefined && /^(?:--|-h$)/.test(value) && !token.inlineValue
    if (!value || isOption) return `--${name} needs a value.`
    const before = flags[name]
    if (option.kind === 'values') flags[name] = [...((before as string[]) ?? []), value]
    else if (before === undefined) flags[name] = value
    else return `--${name} is given twice: ${shown(String(before))} and ${shown(value)}.`
  }
  return { flags, given }
}

export function takesValue({ kind }: Option): boolean {
  return kind === 'value' || kind === 'values'
}

function initialOf([name, { kind }]: [string, Option]) {
  return [name, kind === 'flag' ? false : kind === 'counter' ? 0 : undefined]
}

function describeArgument(command: string, argumentsMax: number, input: string): string {
  const received = quoted(input)
  if (argumentsMax === 0) return `${command} takes no argument; received ${received}.`
  const count = argumentsMax === 1 ? 'one argument' : `${argumentsMax} arguments`
  return `${command} takes ${count}; received ${received} too.`
}

function describeUnknownOption(rawName: string, known: readonly string[]): string {
  const isLong = rawName.startsWith('--')
  const end = isLong ? didYouMean(rawName.slice(2), known, { before: '--' }) : '.'
  return `There is no option ${shown(rawName)}${end}`
}

/** The sentence for an unknown command, with the nearest one of its group. */
export function describeUnknownCommand(
  input: string,
  commands: readonly string[],
  group: string,
): string {
  if (input.startsWith('-')) return `There is no option ${shown(input)} before a command.`
  const before = `${group} `.replace('petstore ', '')
  return `There is no command ${before}${shown(input)}${didYouMean(input, commands, { before })}`
}

function shown(input: string): string {
  return printable(beginningOf(input))
}

function quoted(input: string): string {
  return printable(JSON.stringify(beginningOf(input)))
}

/** The most characters of an argument that a message repeats. */
const shownMax = 100

/** The beginning of what was typed or pasted; of a key, a secret and an address, which may have a password, its prefix alone. */
function beginningOf(input: string): string {
  const prefix = ['pet_live_', 'pet_test_', 'whsec_'].find((one) => input.startsWith(one))
  if (prefix) return `${prefix}…`
  const [scheme, rest] = input.split('://', 2)
  if (rest !== undefined) return `${scheme}://…`
  return input.length > shownMax ? `${input.slice(0, shownMax)}…` : input
}
