import { urlOfClient } from '../config/client-environment.ts'
import type { Command, Group } from './arguments/define-command.ts'
import { root } from './commands.ts'

/** A command or a group, its name after the program's, and the words behind it. */
export type Found = { name: string; target: Command | Group; rest: readonly string[] }

/** The command that the first words name, or the group that they lead to. */
export function findCommand(words: readonly string[]): Found {
  // `keys create` is of the store, and of a service where one is named.
  const isOverHttp = urlOfClient() !== undefined || words.some(namesService)
  let target: Found['target'] = root
  for (const [index, word] of words.entries()) {
    const { commands, overHttp } = commandsBelow(target)
    const [first, second] = isOverHttp ? [overHttp, commands] : [commands, overHttp]
    const next = own(first, word) ?? own(second, word)
    if (next === undefined) return found(words.slice(0, index), target, words.slice(index))
    target = next
  }
  return found(words, target, [])
}

/** Those of a store, and those over HTTP. */
export function commandsBelow(target: Found['target']) {
  const { commands = {}, overHttp = {} } = 'commands' in target ? target : {}
  return { commands, overHttp }
}

function own<T>(members: Readonly<Record<string, T>>, name = ''): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined
}

function namesService(word: string): boolean {
  return /^--(?:url|profile)(?:=|$)/.test(word)
}

function found(named: readonly string[], target: Found['target'], rest: readonly string[]): Found {
  return { name: ['petstore', ...named].join(' '), target, rest }
}
