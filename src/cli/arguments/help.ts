import type { Command, Group, Option } from './define-command.ts'

type Bold = (text: string) => string

const width = 80
const nameWidthMax = 24

/** The page of a command, or of a group of commands, in lines of at most 80 columns. */
export function formatHelp(name: string, target: Command | Group, bold: Bold): string {
  const isRoot = name === 'petstore'
  const options = [
    ...('options' in target ? optionsOf(target.options) : []),
    ['-h, --help', 'show this page'] as const,
    ...(isRoot ? [['-v, --version', 'print the version'] as const] : []),
  ]
  const examples = target.examples.flatMap(([line, does]) => [
    `  ${line}`,
    ...wrapped(does, width - 6).map((part) => `      ${part}`),
  ])
  const sections = [
    [`${bold(name)} ${target.usage}`],
    wrapped(target.description, width),
    ...('commands' in target ? sectionsOf(target, bold) : []),
    section('Options', options, bold),
    ...(examples.length > 0 ? [[bold('Examples'), ...examples]] : []),
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

/** The commands on a store, and those over HTTP; of a group of those its verbs. */
function sectionsOf(group: Group, bold: Bold): string[][] {
  const verbsOf = (target: Command | Group) =>
    'overHttp' in target ? Object.keys(target.overHttp ?? {}).join(', ') : ''
  const ofStore = commandsIn(group)
  const mixed = Object.entries(group.commands).filter(([, target]) => verbsOf(target) !== '')
  const overHttp = [...Object.entries(group.overHttp ?? {}), ...mixed].map(
    ([name, target]): Row => [name, verbsOf(target) || beginningOf(target.description)],
  )
  return [
    ...(ofStore.length > 0 ? [section('Commands', ofStore, bold)] : []),
    ...(overHttp.length > 0 ? [section('Commands over HTTP', overHttp, bold)] : []),
  ]
}

type Row = readonly [name: string, meaning: string]

function section(title: string, rows: readonly Row[], bold: Bold): string[] {
  const nameWidth = Math.min(nameWidthMax, Math.max(...rows.map(([name]) => name.length)))
  return [bold(title), ...rows.flatMap((row) => linesOf(row, nameWidth))]
}

/** A name, and a text that is wrapped beside it, in lines of at most 80 columns. */
export function linesOf([name, meaning]: Row, nameWidth: number): string[] {
  const parts = wrapped(meaning, width - nameWidth - 4)
  return parts.map((part, index) => `  ${(index === 0 ? name : '').padEnd(nameWidth)}  ${part}`)
}

function optionsOf(options: Readonly<Record<string, Option>>): Row[] {
  return Object.entries(options).map(([name, option]) => [
    `--${name}${'placeholder' in option ? ` ${option.placeholder}` : ''}`,
    option.brief,
  ])
}

/** The commands below a group, those of its groups included, each with the first sentence of its description. */
function commandsIn({ commands }: Group, before = ''): Row[] {
  return Object.entries(commands).flatMap(([name, target]): Row[] => {
    const words = `${before}${name}`
    return 'commands' in target
      ? commandsIn(target, `${words} `)
      : [[words, beginningOf(target.description)]]
  })
}

function beginningOf(description: string): string {
  const [sentence = ''] = `${description} `.split('. ')
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** A text in lines of at most so many characters. */
function wrapped(text: string, lineWidth: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= lineWidth) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
