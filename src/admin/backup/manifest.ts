import { hash } from 'node:crypto'
import type { Environment } from '../../config/settings.ts'
import { decodeTagged, encodeTagged } from '../../contract/int64-json.ts'
import { OpenError } from '../../db/errors.ts'
import type { Table } from '../../db/storage.ts'
import type { Digests } from '../copy/digests.ts'

/** A table as a backup has it: its stored columns, and its key. */
export type BackedUpTable = Pick<Table, 'name' | 'columns' | 'key' | 'assignsIds'>

/** What a backup says about itself. */
export type Manifest = {
  /** The version of the program that made it. */
  program: string
  /** The last migration of the store. */
  schema: string
  environment: Environment | null
  /** When its contents were read, in ISO 8601. */
  madeAt: string
  engine: 'sqlite' | 'postgres'
  tables: readonly BackedUpTable[]
  digests: Digests
}

/** A row of the table `backup_manifest`. */
export type Entry = [name: string, value: string]

/** Raised when programs of before could not restore a backup. */
const format = '1'

/** The rows of a manifest; the last is a digest of the others. */
export function entriesOf(manifest: Manifest): Entry[] {
  const { program, schema, environment, madeAt, engine, tables, digests } = manifest
  const entries: Entry[] = [
    ['format', format],
    ['program', program],
    ['schema', schema],
    ['environment', environment ?? ''],
    ['made_at', madeAt],
    ['engine', engine],
    ['tables', JSON.stringify(tables)],
    ['digests', encodeTagged(digests)],
  ]
  return [...entries, ['digest', digestOf(entries)]]
}

/** Reads the rows of a manifest. Throws `damaged`; `newerSchema` for a later format. */
export function readManifest(entries: readonly Entry[], file: string): Manifest {
  const values = new Map(entries)
  const entryOf = (name: string) => values.get(name) ?? ''
  if (/^\d+$/.test(entryOf('format')) && Number(entryOf('format')) > Number(format)) {
    throw new OpenError(
      'newerSchema',
      `${file} was made by a newer version of this program, ${entryOf('program')}. Nothing was changed; restore it with that version.`,
    )
  }
  const digest = digestOf(entries.filter(([name]) => name !== 'digest'))
  if (entryOf('digest') !== digest) {
    throw new OpenError(
      'damaged',
      `${file} is damaged: its manifest is not the one that was written. Nothing was changed; use another backup.`,
    )
  }
  return {
    program: entryOf('program'),
    schema: entryOf('schema'),
    environment: (entryOf('environment') || null) as Environment | null,
    madeAt: entryOf('made_at'),
    engine: entryOf('engine') as Manifest['engine'],
    tables: JSON.parse(entryOf('tables')) as BackedUpTable[],
    digests: decodeTagged(entryOf('digests')) as Digests,
  }
}

function digestOf(entries: readonly Entry[]): string {
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted))
}
