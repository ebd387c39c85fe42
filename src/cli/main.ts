import { styleText } from 'node:util'
import { problemWithNode } from '../../bin/launch/node-version.js'
import { exitCodes } from '../config/exit-error.ts'
import { versionOf } from '../version.ts'
import { formatHelp } from './arguments/help.ts'
import { describeUnknownCommand, parseOptions } from './arguments/parse-options.ts'
import { commandsBelow, type Found, findCommand } from './find-command.ts'
import { tell } from './text/print.ts'

/** Runs one command and returns its exit code; errors are printed on standard error. */
export async function main(args: readonly string[]): Promise<number> {
  outliveReaders()
  const [first, ...others] = args
  if (first === undefined) {
    process.stderr.write(`No command was given.\n\n${helpOf(findCommand([]), process.stderr)}`)
    return exitCodes.usage
  }
  if (first === '--version' || first === '-v') {
    process.stdout.write(`${versionOf()}\n`)
    return 0
  }
  if (first === 'complete') {
    const { completeCommand } = await import('./operations/complete.ts')
    return completeCommand(others)
  }
  // `petstore help serve` is `petstore serve --help`.
  const isHelp = first === 'help'
  const found = findCommand(isHelp ? others : args)
  const { name, target, rest } = found
  const [word] = rest
  if (isHelp ? word === undefined : rest.some(asksForHelp)) {
    process.stdout.write(helpOf(found, process.stdout))
    return 0
  }
  if (isHelp || 'commands' in target) return refuse(name, problemWith(found))
  const parsed = parseOptions(target, name, rest)
  if (typeof parsed === 'string') return refuse(name, parsed)
  // What has an environment works on a store.
  const isOnDisk = 'environment' in target.options && !parsed.flags.ephemeral
  const problem = isOnDisk ? problemWithNode('disk') : undefined
  if (problem !== undefined) {
    tellProblem(problem)
    return exitCodes.nodeTooOld
  }
  try {
    const run = await target.load()
    const command = name.replace('petstore ', '')
    return await run({ command, ...parsed.flags } as never, ...parsed.given)
  } catch (error) {
    // Loaded here, since it knows the errors of databases.
    const { describeFailure, exitCodeOf } = await import('./text/messages.ts')
    tellProblem(describeFailure(error, name))
    return exitCodeOf(error)
  }
}

/** Of a group without a command, or of words that name none. */
function problemWith({ name, target, rest: [word] }: Found): string {
  const { commands, overHttp } = commandsBelow(target)
  const names = Object.keys({ ...commands, ...overHttp })
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

/** The reader of standard output may close it, and a terminal may be gone; the service continues. A full disk ends a command. */
function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE' || code === 'EIO') return
      tellProblem(`The output cannot be written: ${message}.`)
      process.exit(exitCodes.ioError)
    })
  }
}
