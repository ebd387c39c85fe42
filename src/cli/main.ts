import { styleText } from 'node:util'
import { versionOf } from '../version.ts'
import { root } from './commands.ts'
import type { Command, Group } from './define-command.ts'
import { exitCodes } from './exit-codes.ts'
import { formatHelp } from './help.ts'
import { describeFailure, exitCodeOf } from './messages.ts'
import { describeUnknownCommand, parseOptions } from './parse-options.ts'
import { tell } from './print.ts'

/** Runs one command and returns its exit code; errors are printed on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  outliveReaders()
  const [first, ...others] = args
  if (first === undefined) {
    process.stderr.write(`No command was given.\n\n${helpOf(find([]), process.stderr)}`)
    return exitCodes.usage
  }
  if (first === '--version' || first === '-v') {
    process.stdout.write(`${versionOf()}\n`)
    return 0
  }
  // `petstore help serve` is `petstore serve --help`.
  const isHelp = first === 'help'
  const found = find(isHelp ? others : args)
  const { name, target, rest } = found
  const [word] = rest
  if (isHelp ? word === undefined : rest.some(asksForHelp)) {
    process.stdout.write(helpOf(found, process.stdout))
    return 0
  }
  if (isHelp || 'commands' in target) return refuse(name, problemWith(found))
  const parsed = parseOptions(target, name, rest)
  if (typeof parsed === 'string') return refuse(name, parsed)
  try {
    const run = await target.load()
    return await run(parsed.flags as never, parsed.argument)
  } catch (error) {
    tellProblem(describeFailure(error, name))
    return exitCodeOf(error)
  }
}

/** A command or a group, its name after the program's, and the words behind it. */
type Found = { name: string; target: Command | Group; rest: readonly string[] }

function find(words: readonly string[]): Found {
  let target: Found['target'] = root
  for (const [index, word] of words.entries()) {
    const commands: Group['commands'] = 'commands' in target ? target.commands : {}
    const next = Object.hasOwn(commands, word) ? commands[word] : undefined
    if (next === undefined) return found(words.slice(0, index), target, words.slice(index))
    target = next
  }
  return found(words, target, [])
}

function found(named: readonly string[], target: Found['target'], rest: readonly string[]): Found {
  return { name: ['petstore', ...named].join(' '), target, rest }
}

/** Of a group without a command, or of words that name none. */
function problemWith({ name, target, rest: [word] }: Found): string {
  const names = 'commands' in target ? Object.keys(target.commands) : []
  if (word !== undefined) return describeUnknownCommand(word, names, name)
  const all = names.map((one) => `${name} ${one}`.replace('petstore ', ''))
  return `Say which: ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(all)}.`
}

function asksForHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

function refuse(name: string, problem: string): number {
  tellProblem(`${problem} See ${name} --help.`)
  return exitCodes.usage
}

function tellProblem(problem: string) {
  tell(styleText('red', problem, { stream: process.stderr }))
}

function helpOf({ name, target }: Found, stream: NodeJS.WriteStream): string {
  return formatHelp(name, target, (text) => styleText('bold', text, { stream }))
}

/** The reader of standard output may close it, and a terminal may be gone; the service continues. */
function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    })
  }
}
