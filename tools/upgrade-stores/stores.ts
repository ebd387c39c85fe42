import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** The kept stores, each a compressed file with a listing of what is in it. */
const storesFolder = join(import.meta.dirname, '../../test/upgrades/stores')

export type Engine = 'sqlite' | 'postgres'

/** What was in a store when the program of its time was stopped. */
export type StoreListing = {
  engine: Engine
  /** The version that left it; `early` is the last one before 1.0.0. */
  release: string
  /** The commit of the program that left it; the work in progress where it was not committed. */
  commit: string
  /** When it was stopped. */
  madeAt: string
  /** Keys by name. */
  keys: Readonly<Record<string, string>>
  /** Responses to GET by path, as text. */
  reads: Readonly<Record<string, string>>
  /** The last id that each table has assigned, as digits. */
  lastIds: Readonly<Record<string, string>>
  /** Requests with an Idempotency-Key, and their responses. */
  claims: readonly Claim[]
}

/** A request with an Idempotency-Key, and its response. */
export type Claim = { path: string; key: string; body: string; text: string }

const endings = { sqlite: '.db.gz', postgres: '.sql.gz' } as const

/** The path of a store without the ending of its files. */
export function pathOf({ engine, release }: StoreListing): string {
  return join(storesFolder, engine, release)
}

/** The compressed file of a store. */
export function fileOf(listing: StoreListing): string {
  return pathOf(listing) + endings[listing.engine]
}

/** The contents of a store: a SQLite file, or statements for PostgreSQL. */
export function contentsOf(listing: StoreListing): Buffer {
  return gunzipSync(readFileSync(fileOf(listing)))
}

/** The listings of an engine's stores. */
export function listStores(engine: Engine): StoreListing[] {
  const folder = join(storesFolder, engine)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as StoreListing)
}
