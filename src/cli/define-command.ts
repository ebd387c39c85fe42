import { buildCommand, buildRouteMap, type Command, type CommandContext } from '@stricli/core'
import type { Page } from './help.ts'

/** What a command runs in; it leaves its exit code here. */
export type CliContext = CommandContext & { readonly process: { exitCode?: number } }

/** An option with a value. */
export const value = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const

/** An option without a value. */
export const flag = (brief: string) =>
  ({ kind: 'boolean', default: false, withNegated: false, brief }) as const

/** An option that may be repeated: its values, or how often it was given. */
export const values = (placeholder: string, brief: string) =>
  ({ ...value(placeholder, brief), variadic: true }) as const
export const counter = (brief: string) => ({ kind: 'counter', brief }) as const

type OptionOf<Value> = ReturnType<
  [Value] extends [boolean]
    ? typeof flag
    : [Value] extends [number]
      ? typeof counter
      : [Value] extends [string | undefined]
        ? typeof value
        : typeof values
>

const environment = value('NAME', 'production (default) or staging')

type Definition<Flags> = Omit<Page, 'usage'> & {
  /** What follows the name of the command, where it is not its argument and options. */
  usage?: string
  /** The options besides `--environment`, which every command has. */
  options: { [Name in Exclude<keyof Flags, 'environment'>]-?: OptionOf<Flags[Name]> }
  /** The only argument; the command says what is wrong where it is absent. */
  argument?: readonly [placeholder: string, brief: string]
  /** Each command is loaded when it is run: loading the others would triple the time of `config`. */
  load(): Promise<(flags: Flags, argument: string | undefined) => number | Promise<number>>
}

/** The pages of `--help`, by command. */
export const pages = new Map<unknown, Page>()

/** A command, with its page of `--help`; lists of commands show the first sentence of its description. */
export function defineCommand<Flags>({
  options,
  argument,
  load,
  ...page
}: Definition<Flags>): Command<CliContext> {
  const usage = page.usage ?? `${argument === undefined ? '' : `${argument[0]} `}[OPTIONS]`
  const [placeholder, brief] = argument ?? []
  const loader = async () => {
    const run = await load()
    return async function (this: CliContext, flags: Flags, given?: string): Promise<void> {
      this.process.exitCode = await run(flags, given)
    }
  }
  const flags = { ...options, environment }
  const positional = {
    kind: 'tuple',
    parameters: argument ? [{ parse: String, optional: true, placeholder, brief }] : [],
  }
  const docs = { brief: beginningOf(page.description) }
  // The library infers the options from their values; `Definition` has compared them.
  const command = buildCommand({ loader, parameters: { flags, positional }, docs } as never)
  pages.set(command, { ...page, usage })
  return command as Command<CliContext>
}

/** A group of commands, with its page of `--help`. */
export function defineGroup(
  page: Page,
  routes: Parameters<typeof buildRouteMap<string, CliContext>>[0]['routes'],
) {
  const group = buildRouteMap({ routes, docs: { brief: beginningOf(page.description) } })
  pages.set(group, page)
  return group
}

function beginningOf(description: string): string {
  const [sentence = ''] = `${description} `.split('. ')
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
