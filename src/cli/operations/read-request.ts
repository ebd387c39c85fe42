import { readFileSync } from 'node:fs'
import { buffer, text as readText } from 'node:stream/consumers'
import type { FileBody, Input } from '../../../client/src/operation.ts'
import { ExitError, usageError } from '../../config/exit-error.ts'
import { parseJson } from '../../contract/int64-json.ts'
import { argumentsOf, type TableEntry, type TableOption, type ValueType } from './table.ts'

export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

/** The parts of the request that a command line asks for. Throws `usage`. */
export async function readRequest(
  entry: TableEntry,
  flags: Flags,
  given: readonly string[],
): Promise<Input & { query: Record<string, unknown>; imported?: FileBody }> {
  const missing = argumentsOf(entry)[given.length]
  if (missing !== undefined) throw usageError(`Say which: ${missing} is missing.`)
  const ids = given.slice(0, entry.ids.length)
  const request = {
    ids: ids.map((id) => readValue('ID', 'integer', id) as bigint),
    query: readMembers(optionsIn('query', entry), flags),
  }
  const path = given.at(-1) ?? ''
  if (entry.files) return { ...request, imported: await readFile(path) }
  if (entry.isUpload) return { ...request, file: await readBytes(path) }
  const ofBody = optionsIn('body', entry)
  return ofBody.length === 0 ? request : { ...request, body: await readBody(ofBody, flags) }
}

type Options = readonly (readonly [name: string, option: TableOption])[]

function optionsIn(place: TableOption['in'], { options }: TableEntry): Options {
  return Object.entries(options).filter(([, option]) => option.in === place)
}

async function readBody(options: Options, flags: Flags): Promise<unknown> {
  if (typeof flags.data === 'string') {
    const member = options.find(([name]) => flags[name])
    if (member) throw usageError(`--data has the whole body; --${member[0]} excludes it.`)
    return readData(flags.data)
  }
  const absent = options.filter(([name, { isRequired }]) => isRequired && flags[name] === undefined)
  if (absent.length === 0) return readMembers(options, flags)
  throw usageError(`Missing: ${absent.map(([name]) => `--${name}`).join(', ')}.`)
}

function readMembers(options: Options, flags: Flags): Record<string, unknown> {
  const members: Record<string, unknown> = {}
  for (const [name, option] of options) {
    const text = flags[name]
    if (!text) continue
    if (option.kind !== 'flag') {
      const read = (one: string) => readValue(`--${name}`, option.type, one)
      members[option.name] = Array.isArray(text) ? text.map(read) : read(text as string)
    } else if (option.name in members) {
      throw usageError(`--${name.replace('no-', '')} and --${name} exclude each other.`)
    } else members[option.name] = option.sets
  }
  return members
}

function readValue(option: string, type: ValueType, text: string): unknown {
  switch (type) {
    case 'integer':
      if (/^-?\d{1,19}$/.test(text)) return BigInt(text)
      throw usageError(
        `${option} must be an integer; received ${JSON.stringify(text.slice(0, 100))}.`,
      )
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw usageError(`${option} must be true or false.`)
    case 'json':
      return readJson(option, text)
    case 'text':
      return text
  }
}

async function readFile(path: string): Promise<FileBody> {
  return new File([await readBytes(path)], path)
}

async function readBytes(path: string): Promise<Buffer<ArrayBuffer>> {
  try {
    return path === '-' ? await buffer(process.stdin) : readFileSync(path)
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}.`, error)
  }
}

async function readData(path: string): Promise<unknown> {
  if (path === '-') return readJson('--data', await readStandardInput())
  try {
    return readJson('--data', readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof ExitError) throw error
    throw usageError(`--data ${path} cannot be read: ${(error as Error).message}.`, error)
  }
}

/** A text as JSON, its integers exact. Throws `usage`. */
export function readJson(option: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw usageError(`${option} is not JSON: ${(error as Error).message}.`, error)
  }
}

/** Standard input to its end. */
export function readStandardInput(): Promise<string> {
  return readText(process.stdin)
}
