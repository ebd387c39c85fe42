/** What `--help` says of a command beside its options. */
type Page = {
  /** What follows the name of the command. */
  usage: string
  /** Lists of commands show its first sentence. */
  description: string
  examples: readonly (readonly [line: string, does: string])[]
}

/** `values` may be repeated; of a `counter` counts how often it is given. Those of a closed list are completed by shells. */
export type Option =
  | { kind: 'value' | 'values'; placeholder: string; brief: string; values?: readonly string[] }
  | { kind: 'flag' | 'counter'; brief: string }

export type Command = Page & {
  options: Readonly<Record<string, Option>>
  /** How many arguments it takes at most. */
  argumentsMax: number
  load(): Promise<(flags: never, ...args: string[]) => number | Promise<number>>
}
export type Group = Page & {
  /** Those on a store itself. */
  commands: Readonly<Record<string, Command | Group>>
  /** Those that follow from operations. They win where the command line names a service. */
  overHttp?: Readonly<Record<string, Command | Group>>
}

/** An option with a value, which may be one of a list. */
export const value = (placeholder: string, brief: string, values?: readonly string[]) =>
  ({ kind: 'value', placeholder, brief, ...(values && { values }) }) as const

/** An option without a value. */
export const flag = (brief: string) => ({ kind: 'flag', brief }) as const

/** An option that may be repeated: its values, or how often it was given. */
export const values = (placeholder: string, brief: string) =>
  ({ kind: 'values', placeholder, brief }) as const
export const counter = (brief: string) => ({ kind: 'counter', brief }) as const

/** What a command gets: options without a value, with one, and with several; `--environment`; and its own name. */
export type FlagsOf<
  Switch extends string,
  Value extends string = never,
  Repeated extends string = never,
> = { command: string } & { [Name in Value | 'environment']?: string | undefined } & {
  [Name in Switch]: boolean
} & { [Name in Repeated]?: readonly string[] | undefined }

type OptionOf<Value> = ReturnType<
  [Value] extends [boolean]
    ? typeof flag
    : [Value] extends [number]
      ? typeof counter
      : [Value] extends [string | undefined]
        ? typeof value
        : typeof values
>

const environments = ['production', 'staging']
const environment = value('NAME', 'production (default) or staging', environments)

type Definition<Flags> = Omit<Page, 'usage'> & {
  /** What follows the name of the command, where it is not its argument and options. */
  usage?: string
  /** The options besides `--environment`. */
  options: { [Name in Exclude<keyof Flags, 'command' | 'environment'>]-?: OptionOf<Flags[Name]> }
  /** The only argument; the command says what is wrong where it is absent. */
  argument?: string
  /** Whether it works on no store: it has no `--environment`. */
  isStoreless?: true
  /** Each command is loaded when it is run: loading the others would triple the time of `config`. */
  load(): Promise<(flags: Flags, argument: string | undefined) => number | Promise<number>>
}

/** A command, with its page of `--help`. */
export function defineCommand<Flags>({
  options,
  argument,
  isStoreless,
  ...command
}: Definition<Flags>): Command {
  return {
    usage: `${argument === undefined ? '' : `${argument} `}[OPTIONS]`,
    ...command,
    options: { ...(options as Command['options']), ...(!isStoreless && { environment }) },
    argumentsMax: argument === undefined ? 0 : 1,
  }
}
