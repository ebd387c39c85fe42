import type { Operation } from '../../../client/src/operation.ts'
import json from './table.json' with { type: 'json' }

/** What a value of the command line becomes in a request. */
export type ValueType = 'integer' | 'boolean' | 'text' | 'json'

/** An option for a parameter of the query, or for a member of the body. */
export type TableOption = {
  /** Its name in the request. */
  name: string
  in: 'query' | 'body'
  type: ValueType
  placeholder: string
  brief: string
  /** What it may be, where that is a closed list. */
  values?: readonly string[]
  isRepeated?: true
  isRequired?: true
  isNullable?: true
}

export type ColumnType = 'integer' | 'instant' | 'text' | 'nested'

/** A command that follows from an operation. */
export type TableEntry = {
  operation: Operation
  kind: 'list' | 'record' | 'nothing' | 'stream' | 'file'
  summary: string
  description: string
  /** The placeholders of its arguments: the ids of the path, in order. */
  ids: readonly string[]
  /** The media types of the file that it takes, as its last argument. */
  files?: readonly string[]
  options: Readonly<Record<string, TableOption>>
  /** The members of its records. */
  columns: Readonly<Record<string, ColumnType>>
  takesIfMatch?: true
  examples: readonly (readonly [line: string, does: string])[]
}

/** The commands by group and verb, which `tools/generate/commands.ts` makes from the contract. */
export const table = json as unknown as Readonly<
  Record<string, Readonly<Record<string, TableEntry>>>
>

/** Whether the option takes no value: it is there, or the parameter is absent. */
export function isFlag({ in: place, type }: TableOption): boolean {
  return place === 'query' && type === 'boolean'
}

/** The placeholders of the arguments. */
export function argumentsOf({ ids, files }: TableEntry): readonly string[] {
  return files === undefined ? ids : [...ids, 'FILE']
}
