import { hash } from 'node:crypto'
import type { Environment } from '../../config/settings.ts'
import type { Digests, TableDigest } from '../../db/copying/digests.ts'
import { OpenError } from '../../db/errors.ts'

/** What a backup says about itself. Its tables follow from its schema. */
export type Manifest = {
  /** The version of the program that made it. */
  program: string
  /** The last migration of the store. */
  schema: string
  environment: Environment | null
  /** When its contents were read, in ISO 8601. */
  madeAt: string
  engine: 'sqlite' | 'postgres'
  /** The digest of each table, as `encodeDigest` writes it: compared, never parsed. */
  digests: Readonly<Record<string, string>>
}

/** A row of the table `backup_manifest`. */
export type Entry = [name: string, value: string]

/** Raised when programs of before could not restore a backup. */
const format = '1'

/** The entries besides those of tables, and what each may be. */
const values = {
  format: /^1$/,
  program: /^\d+\.\d+\.\d+[-+.\w]{0,40}$/,
  schema: /^\d{4}_\w{1,60}$/,
  environment: /^(?:production|staging)?$/,
  made_at: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  engine: /^(?:sqlite|postgres)$/,
  digest: /^[\da-f]{64}$/,
}

/** The prefix of the entry of a table. */
const ofTable = 'table '

/** The rows of a manifest; the last is a digest of the others. */
export function entriesOf(manifest: Manifest): Entry[] {
  const { program, schema, environment, madeAt, engine, digests } = manifest
  const entries: Entry[] = [
    ['format', format],
    ['program', program],
    ['schema', schema],
    ['environment', environment ?? ''],
    ['made_at', madeAt],
    ['engine', engine],
    ...Object.entries(digests).map(([name, digest]): Entry => [ofTable + name, digest]),
  ]
  return [...entries, ['digest', digestOf(entries)]]
}

/** Parses the rows of an untrusted manifest. Throws `damaged`; `newerSchema` for a later format. */
export function readManifest(entries: readonly Entry[], file: string): Manifest {
  if (!entries.flat().every((value) => typeof value === 'string')) throw unknownManifest(file)
  const given = new Map(entries)
  const entryOf = (name: keyof typeof values) => given.get(name) ?? ''
  if (/^\d{1,9}$/.test(entryOf('format')) && Number(entryOf('format')) > Number(format)) {
    const program = values.program.test(entryOf('program')) ? `, ${entryOf('program')}` : ''
    throw new OpenError(
      'newerSchema',
      `${file} was made by a newer version of this program${program}. Nothing was changed; restore it with that version.`,
    )
  }
  const [tables, others] = partition(entries, ([name]) => name.startsWith(ofTable))
  const isWritten =
    others.length === Object.keys(values).length &&
    Object.entries(values).every(([name, value]) => value.test(given.get(name) ?? '\0')) &&
    isInstant(entryOf('made_at')) &&
    entryOf('digest') === digestOf(entries.filter(([name]) => name !== 'digest'))
  if (!isWritten) throw unknownManifest(file)
  return {
    program: entryOf('program'),
    schema: entryOf('schema'),
    environment: (entryOf('environment') || null) as Environment | null,
    madeAt: entryOf('made_at'),
    engine: entryOf('engine') as Manifest['engine'],
    digests: Object.fromEntries(
      tables.map(([name, digest]) => [name.slice(ofTable.length), digest]),
    ),
  }
}

/** The error for a manifest that this program cannot have written. */
export function unknownManifest(file: string): OpenError {
  return new OpenError(
    'damaged',
    `${file} is damaged: its manifest is not the one that was written. Nothing was changed; use another backup.`,
  )
}

/** The digests as a manifest has them. */
export function encodeDigests(digests: Digests): Manifest['digests'] {
  const encoded = Object.entries(digests).map(([name, digest]) => [name, encodeDigest(digest)])
  return Object.fromEntries(encoded)
}

function encodeDigest({ rows, sha256, lastId }: TableDigest): string {
  return `${rows} rows, sha256 ${sha256}${lastId === undefined ? '' : `, last id ${lastId}`}`
}

function digestOf(entries: readonly Entry[]): string {
  const sorted = entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return hash('sha256', JSON.stringify(sorted))
}

function isInstant(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}
