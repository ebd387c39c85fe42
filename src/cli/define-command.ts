import type { Command, CommandContext, RouteMap } from '@stricli/core'
import type { Page } from './help.ts'

/** What a command runs in; it leaves its exit code here. */
export type CliContext = CommandContext & { readonly process: { exitCode?: number } }

type Run<Flags, Args extends readonly unknown[]> = (
  flags: Flags,
  ...args: Args
) => number | Promise<number>

/** The pages of `--help`, by command. */
export const pages = new Map<unknown, Page>()

/** An option with a value. */
export const value = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const

/** An option without a value. */
export const flag = (brief: string) =>
  ({ kind: 'boolean', default: false, withNegated: false, brief }) as const

/** The only argument of a command; the command says what is wrong where it is absent. */
export const argument = (placeholder: string, brief: string) =>
  ({
    kind: 'tuple',
    parameters: [{ parse: String, optional: true, placeholder, brief }],
  }) as const

export const environment = value('NAME', 'production (default) or staging')

/** Adds the page of `--help` to a command or a group. */
export function documented<T extends Command<CliContext> | RouteMap<CliContext>>(
  page: Page,
  target: T,
): T {
  pages.set(target, page)
  return target
}

/** Each command is loaded when it is run: loading the others would triple the time of `config`. */
export function loading<Flags, Args extends readonly unknown[]>(
  load: () => Promise<Run<Flags, Args>>,
) {
  return async () => {
    const run = await load()
    return async function (this: CliContext, flags: Flags, ...args: Args): Promise<void> {
      this.process.exitCode = await run(flags, ...args)
    }
  }
}
