import type { Operation } from '../../../client/src/operation.ts'
import type { Option } from '../arguments/define-command.ts'
import json from './table.json' with { type: 'json' }

/** What a value of the command line becomes in a request. */
export type ValueType = 'integer' | 'boolean' | 'text' | 'json'

/** An option for a parameter of the query, or for a member of the body. */
export type TableOption = {
  /** Its name in the request. */
  name: string
  in: 'query' | 'body'
  isRequired?: true
} & (
  | (Extract<Option, { kind: 'value' | 'values' }> & { type: ValueType })
  | { kind: 'flag'; brief: string; sets: true | null }
)

/** A `tag` is the ETag of the record, which is shown where it is asked for. */
export type ColumnType = 'integer' | 'instant' | 'text' | 'nested' | 'tag'

/** A command that follows from an operation. */
export type TableEntry = {
  operation: Operation
  kind: 'list' | 'record' | 'nothing' | 'stream' | 'file' | 'blob'
  summary: string
  description: string
  /** The placeholders of its arguments: the ids of the path, in order. */
  ids: readonly string[]
  /** The media types of the file of rows that it takes, as its last argument. */
  files?: readonly string[]
  /** Whether it takes a file, as its last argument, that is stored as it is. */
  isUpload?: true
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

/** The placeholders of the arguments. */
export function argumentsOf({
  ids,
  files,
  isUpload,
}: Pick<TableEntry, 'ids' | 'files' | 'isUpload'>): readonly string[] {
  return files || isUpload ? [...ids, 'FILE'] : ids
}
