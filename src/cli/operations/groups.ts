import { limitDefault } from '../../contract/paging.ts'
import { type Command, flag, type Group, value } from '../arguments/define-command.ts'
import { argumentsOf, type TableEntry, table } from './table.ts'

export const whichService =
  'The service is that of --url, PETSTORE_URL or --profile, else that of the last petstore login, else the one on this machine.'

/** The options that say which service, and with which key. */
export const serviceOptions = {
  url: value('URL', 'the base address of the service (default: PETSTORE_URL)'),
  profile: value('NAME', 'the service and the key of a petstore login'),
  'key-stdin': flag('read the key from standard input (default: PETSTORE_KEY)'),
}

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
  const description = `Over HTTP: ${Object.keys(overHttp).join(', ')}. ${whichService}`
  return { usage: 'COMMAND', description, examples: [], commands: {}, overHttp }
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

type Options = Command['options']

const ofKind: Record<TableEntry['kind'], Options> = {
  list: {
    limit: value('N', `how many records, over all pages (default: ${limitDefault})`),
    all: flag('all records'),
    json: flag('print a JSON array'),
    ndjson: flag('print each record as one line of JSON'),
  },
  record: { json: flag('print one JSON object') },
  stream: { json: flag('print each record as one line of JSON') },
  file: { ndjson: flag('one line of JSON for each record, in place of CSV') },
  blob: {},
  nothing: {},
}

function optionsOf(entry: TableEntry): Options {
  const { kind, operation, options, files, columns, takesIfMatch } = entry
  const shown = Object.keys(columns)
  const hasBody = Object.values(options).some((option) => option.in === 'body')
  return {
    ...options,
    ...(hasBody && { data: value('FILE', 'the whole body as JSON; - for standard input') }),
    ...(files && {
      again: value('N', 'imports once more what is imported already; another number each time'),
      refused: value('FILE', 'gets the refused rows as CSV, to repair and import'),
    }),
    ...(takesIfMatch && {
      'if-match': value('ETAG', 'only if the record is still this version: see --columns etag'),
    }),
    ...(operation.isKeyed && {
      'idempotency-key': value('KEY', 'that of an earlier request, to repeat that request'),
    }),
    ...(operation.method === 'DELETE' && { yes: flag('do not ask') }),
    ...ofKind[kind],
    ...(shown.length > 0 && {
      csv: flag('print CSV with a header'),
      columns: value('NAMES', `only these members, in this order: ${shown.join(', ')}`, shown),
      quiet: flag('print ids only, or the first of --columns'),
    }),
    ...serviceOptions,
  }
}
