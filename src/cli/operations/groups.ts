import { type Command, flag, type Group, type Option, value } from '../define-command.ts'
import { argumentsOf, isFlag, type TableEntry, type TableOption, table } from './table.ts'

const serverOptions = {
  url: value('URL', 'the base address of the service (default: PETSTORE_URL)'),
  profile: value('NAME', 'the service and the key of a petstore login'),
  'key-stdin': flag('read the key from standard input (default: PETSTORE_KEY)'),
}

const jsonBriefs = {
  list: 'print a JSON array',
  record: 'print one JSON object',
  stream: 'print each record as one line of JSON',
}

const whichService =
  'The service is that of --url, PETSTORE_URL or --profile, else that of the last petstore login, else the one on this machine.'

/** The commands of a group that follow from operations. */
export function commandsOf(group: string): Group['commands'] {
  return Object.fromEntries(
    Object.entries(table[group] ?? {}).map(([verb, entry]) => [verb, commandOf(entry)]),
  )
}

/** Each group of commands that follow from operations, without those of these names. */
export function operationGroups(others: readonly string[]): Record<string, Group> {
  const names = Object.keys(table).filter((name) => !others.includes(name))
  return Object.fromEntries(names.map((name) => [name, groupOf(name)]))
}

function groupOf(name: string): Group {
  const overHttp = commandsOf(name)
  return {
    usage: 'COMMAND',
    description: `Over HTTP: ${Object.keys(overHttp).join(', ')}. ${whichService}`,
    examples: [],
    commands: {},
    overHttp,
  }
}

function commandOf(entry: TableEntry): Command {
  return {
    usage: [...argumentsOf(entry), '[OPTIONS]'].join(' '),
    description: `${entry.summary}. ${entry.description} ${whichService}`,
    examples: entry.examples,
    options: optionsOf(entry),
    argumentsMax: argumentsOf(entry).length,
    async load() {
      const { runOperation } = await import('./run-operation.ts')
      return (flags, ...ids) => runOperation(entry, flags, ids)
    },
  }
}

function optionsOf({
  kind,
  operation,
  options,
  files,
  columns,
  takesIfMatch,
}: TableEntry): Command['options'] {
  const own = Object.entries(options).flatMap(([name, option]) => forOption(name, option))
  const hasBody = Object.values(options).some((option) => option.in === 'body')
  return {
    ...Object.fromEntries(own),
    ...(kind === 'list' && {
      limit: value('N', 'how many records, over all pages (default: 20)'),
      all: flag('all records'),
    }),
    ...(hasBody && { data: value('FILE', 'the whole body as JSON; - for standard input') }),
    ...(files && {
      'file-type': {
        ...value('TYPE', `what FILE is (default: by its name, else ${files[0]})`),
        values: files,
      },
    }),
    ...(takesIfMatch && { 'if-match': value('ETAG', 'only if the record is still this version') }),
    ...(operation.isKeyed && {
      'idempotency-key': value('KEY', 'that of an earlier request, to repeat that request'),
    }),
    ...(operation.method === 'DELETE' && { yes: flag('do not ask') }),
    ...(kind === 'file' && { ndjson: flag('one line of JSON for each record, in place of CSV') }),
    ...(kind !== 'nothing' &&
      kind !== 'file' && {
        json: flag(jsonBriefs[kind]),
        ...(kind === 'list' && { ndjson: flag(jsonBriefs.stream) }),
        csv: flag('print CSV with a header'),
        columns: {
          ...value('NAMES', 'only these members, in this order, such as id,name'),
          values: Object.keys(columns),
        },
        quiet: flag('print ids only'),
      }),
    ...serverOptions,
  }
}

function forOption(name: string, option: TableOption): [string, Option][] {
  const { placeholder, values, isRepeated, isRequired, isNullable } = option
  if (isFlag(option)) return [[name, flag(option.brief)]]
  const brief = `${option.brief}${isRepeated ? '; repeat it for several' : ''}${isRequired ? ' (required)' : ''}`
  return [
    [
      name,
      { kind: isRepeated ? 'values' : 'value', placeholder, brief, ...(values && { values }) },
    ],
    ...(isNullable ? [[`no-${name}`, flag(`set ${option.name} to null`)] as [string, Option]] : []),
  ]
}
