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
export const text = { kind: 'parsed', parse: String, optional: true } as const
/** An option without a value. */
export const flag = { kind: 'boolean', default: false, withNegated: false } as const
export const environment = {
  ...text,
  placeholder: 'NAME',
  brief: 'production (default) or staging',
} as const

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
