import { hash } from 'node:crypto'
import type { Environment } from '../../config/settings.ts'
import type { Digests, TableDigest } from '../../db/copying/copy-store.ts'
import type { Reason } from '../../db/doors/tables-at.ts'
import { damagedError, OpenError } from '../../db/errors.ts'

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
  /** The name of the move, in the last backup of a store. */
  last?: string
  /** The digest of each table, as `encodeDigest` writes it: compared, never parsed. */
  digests: Readonly<Record<string, string>>
}

/** A manifest as JSON, and the SHA-256 of that: a row of the table `backup_manifest`. */
export type StoredManifest = [text: string, sha256: string]

/** Raised when programs of before could not restore a backup. */
const format = 1

/** Why a store was copied. */
export function reasonOf(last: string | undefined): Reason {
  return last === undefined ? 'copy' : 'move'
}

export function encodeManifest(manifest: Manifest): StoredManifest {
  const text = JSON.stringify({ format, ...manifest })
  return [text, hash('sha256', text)]
}

/** Parses an untrusted manifest. Throws `damaged`; `newerSchema` for a later format. */
export function readManifest([text, sha256]: StoredManifest, file: string): Manifest {
  const { format: found, ...manifest } = parseObject(text)
  if (Number.isInteger(found) && Number(found) > format) {
    throw new OpenError(
      'newerSchema',
      `${file} was made by a newer version of this program, ${manifest.program}. Nothing was changed; restore it with that version.`,
    )
  }
  if (found !== format || hash('sha256', text) !== sha256 || !isManifest(manifest))
    throw unknownManifest(file)
  return manifest
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) }
  } catch {
    return {}
  }
}

function isManifest(found: Record<string, unknown>): found is Manifest {
  const { environment, madeAt, digests, last = '', ...texts } = found
  const named = [texts.program, texts.schema, texts.engine, environment ?? '', last]
  const areTexts = named.every((text) => typeof text === 'string')
  const isInstant = !Number.isNaN(Date.parse(String(madeAt)))
  return areTexts && isInstant && typeof digests === 'object' && digests !== null
}

/** The error for a manifest that this program cannot have written. */
export function unknownManifest(file: string): OpenError {
  return damagedError(
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
