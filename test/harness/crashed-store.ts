import { copyFileSync, existsSync, mkdirSync, mkdtempDisposableSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { declared } from '../../src/app/declared.ts'
import type { Db } from '../../src/db/db.ts'
import { openServedSqlite } from '../../src/db/sqlite/serving/db.ts'
import { insertEnvironment } from '../../src/features/environment/queries.ts'
import { insertPets } from '../../src/features/pets/queries.ts'

const endings = ['', '-wal', '.witness']

type Commits = {
  /** How many pets are created, each in a commit of its own. */
  pets: number
  /** Called between the commits with the number of the next pet, from 1. */
  before?(pet: number, path: string): void
}

/**
 * Leaves in a directory what a service that was killed leaves: a database `petstore.db` of production, its log with all
 * commits, and its witness. Returns the path of the database.
 */
export async function crashStore(directory: string, { pets, before }: Commits): Promise<string> {
  using home = mkdtempDisposableSync(join(tmpdir(), 'petstore-crashed-'))
  const served = join(home.path, 'petstore.db')
  const path = join(directory, 'petstore.db')
  const db = await serveStore(served)
  try {
    await db.write(insertEnvironment, 'production')
    for (let pet = 1; pet <= pets; pet++) {
      before?.(pet, served)
      await db.write(insertPets, { name: `Rex ${pet}`, categoryId: BigInt(pet) })
    }
    copyStore(served, path)
    return path
  } finally {
    await db.close()
  }
}

/** Copies a database with its log and its witness, over those that are there. */
export function copyStore(from: string, to: string): void {
  mkdirSync(join(to, '..'), { recursive: true })
  for (const ending of [...endings, '-shm', '.lock']) rmSync(to + ending, { force: true })
  for (const ending of endings)
    if (existsSync(from + ending)) copyFileSync(from + ending, to + ending)
}

/** Opens a database to serve it, in this process. Throws where there is a warning, unless `warn` takes it. */
export function serveStore(path: string, warn = throwWarning): Promise<Db> {
  return openServedSqlite({ path, ...declared, warn, onLost: () => undefined })
}

function throwWarning(sentence: string): void {
  throw new Error(sentence)
}
