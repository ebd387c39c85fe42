import { createReadStream, openAsBlob, readFileSync, statSync } from 'node:fs'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import type { FileBody, Input } from '../../../client/src/operation.ts'
import { usageError } from '../../config/exit-error.ts'
import { parseJson } from '../../contract/int64-json.ts'
import { argumentsOf, isFlag, type TableEntry, type TableOption, type ValueType } from './table.ts'

export type Flags = Readonly<Record<string, string | readonly string[] | boolean | undefined>>

/** The parts of the request that a command line asks for. Throws `usage`. */
export async function readRequest(
  entry: TableEntry,
  flags: Flags,
  given: readonly string[],
): Promise<Input & { query: Record<string, unknown> }> {
  const { ids, options } = entry
  const missing = argumentsOf(entry)[given.length]
  if (missing !== undefined) throw usageError(`Say which: ${missing} is missing.`)
  const values = Object.entries(options).flatMap(([name, option]) => {
    const value = readGiven(name, option, flags)
    return value === undefined ? [] : [{ name, option, value }]
  })
  const membersIn = (place: TableOption['in']) =>
    Object.fromEntries(
      values
        .filter(({ option }) => option.in === place)
        .map(({ option, value }) => [option.name, value]),
    )
  const request = {
    ids: given.slice(0, ids.length).map((id) => readValue('ID', 'integer', id) as bigint),
    query: membersIn('query'),
  }
  if (entry.files)
    return { ...request, file: await openFile(given[ids.length] ?? '-', entry.files) }
  const ofBody = Object.entries(options).filter(([, option]) => option.in === 'body')
  if (ofBody.length === 0) return request
  if (typeof flags.data === 'string') {
    const member = values.find(({ option }) => option.in === 'body')
    if (member) throw usageError(`--data has the whole body; --${member.name} excludes it.`)
    return { ...request, body: await readData(flags.data) }
  }
  const absent = ofBody.filter(([name, { isRequired }]) => isRequired && flags[name] === undefined)
  if (absent.length > 0) {
    throw usageError(`Missing: ${absent.map(([name]) => `--${name}`).join(', ')}.`)
  }
  return { ...request, body: membersIn('body') }
}

function readGiven(name: string, option: TableOption, flags: Flags): unknown {
  const { type, isNullable } = option
  if (isFlag(option)) return flags[name] ? true : undefined
  const text = flags[name] as string | readonly string[] | undefined
  if (isNullable && flags[`no-${name}`]) {
    if (text !== undefined) throw usageError(`--${name} and --no-${name} exclude each other.`)
    return null
  }
  if (text === undefined) return undefined
  return typeof text === 'string'
    ? readValue(`--${name}`, type, text)
    : text.map((one) => readValue(`--${name}`, type, one))
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

/** A file can be sent again; standard input, or a pipe, once. */
async function openFile(path: string, types: readonly string[]): Promise<FileBody> {
  try {
    const type = types.find((one) => one.endsWith(extname(path).slice(1))) ?? types[0] ?? ''
    if (path !== '-' && statSync(path).isFile()) return await openAsBlob(path, { type })
    const stream = path === '-' ? process.stdin : createReadStream(path)
    return Readable.toWeb(stream) as ReadableStream<Uint8Array>
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}.`, error)
  }
}

async function readData(path: string): Promise<unknown> {
  return readJson('--data', path === '-' ? await readStandardInput() : readText(path))
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw usageError(`--data ${path} cannot be read: ${(error as Error).message}.`, error)
  }
}

function readJson(option: string, text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw usageError(`${option} is not JSON: ${(error as Error).message}.`, error)
  }
}

/** Standard input to its end. */
export async function readStandardInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  return text
}
