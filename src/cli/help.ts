import type { Command, RouteMap } from '@stricli/core'

/** What `--help` says of a command beside its options. */
export type Page = {
  /** What follows the name of the command. */
  usage: string
  description: string
  examples: readonly (readonly [line: string, does: string])[]
}

type Flag = { kind: string; brief: string; placeholder?: string; variadic?: boolean | string }
type Bold = (text: string) => string

// biome-ignore lint/suspicious/noExplicitAny: the context of a command is not used here.
type Target = Command<any> | RouteMap<any>

const width = 80
const nameWidthMax = 24

/** The page of a command, or of a group of commands, in lines of at most 80 columns. */
export function formatHelp(name: string, target: Target, page: Page, bold: Bold): string {
  const isRoot = name === 'petstore'
  const options = [
    ...('parameters' in target ? optionsOf(target.parameters.flags ?? {}) : []),
    ['-h, --help', 'show this page'] as const,
    ...(isRoot ? [['-v, --version', 'print the version'] as const] : []),
  ]
  const examples = page.examples.flatMap(([line, does]) => [
    `  ${line}`,
    ...wrapped(does, width - 6).map((part) => `      ${part}`),
  ])
  const sections = [
    [`${bold(name)} ${page.usage}`],
    wrapped(page.description, width),
    ...('getAllEntries' in target ? [section('Commands', commandsIn(target), bold)] : []),
    section('Options', options, bold),
    ...(examples.length > 0 ? [[bold('Examples'), ...examples]] : []),
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

type Row = readonly [name: string, meaning: string]

function section(title: string, rows: readonly Row[], bold: Bold): string[] {
  const nameWidth = Math.min(nameWidthMax, Math.max(...rows.map(([name]) => name.length)))
  const lines = rows.flatMap(([name, meaning]) => {
    const parts = wrapped(meaning, width - nameWidth - 4)
    const column = (text: string) => `  ${text.padEnd(nameWidth)}  `
    return parts.map((part, index) => `${column(index === 0 ? name : '')}${part}`)
  })
  return [bold(title), ...lines]
}

function optionsOf(flags: Readonly<Record<string, Flag>>): Row[] {
  return Object.entries(flags).map(([name, { placeholder, brief }]) => [
    `--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`,
    brief,
  ])
}

/** The commands below a group, those of its groups included. */
function commandsIn(group: Target, before = ''): Row[] {
  if (!('getAllEntries' in group)) return []
  return group.getAllEntries().flatMap(({ name, target }): Row[] => {
    const words = `${before}${name.original}`
    return 'getAllEntries' in target ? commandsIn(target, `${words} `) : [[words, target.brief]]
  })
}

/** A text in lines of at most so many characters. */
export function wrapped(text: string, lineWidth: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= lineWidth) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
