import type { TestContext } from 'node:test'
import pg from 'pg'
import { declared } from '../../src/app/declared.ts'
import { settings } from '../../src/config/settings.ts'
import type { Db } from '../../src/db/db.ts'
import { openDb } from '../../src/db/open.ts'
import { aDirectory, type petstore } from './command.ts'
import { petstoreInThread } from './command-thread.ts'
import { settingsFor } from './process.ts'

/** Settings of a service on this database, with the first key in a directory of the test. */
export function settingsOn(t: TestContext, address: string): Record<string, string> {
  return { ...settingsFor(aDirectory(t)), PETSTORE_DATABASE: address }
}

/** Starts a service on this database that must refuse to start; in its own process when requested. */
export function serveRefused(
  t: TestContext,
  address: string,
  { run = petstoreInThread }: { run?: typeof petstore | typeof petstoreInThread } = {},
) {
  return run(['serve', '--json'], { env: settingsOn(t, address) })
}

/** Opens this database in this process as a service does. */
export function openStore(address: string, warn = (_sentence: string) => {}): Promise<Db> {
  return openDb(settings.database.read(address), {
    ...declared,
    warn,
    onLost: () => {},
  })
}

/** A separate session on this database. It ends with the test. */
export async function openSession(t: TestContext, address: string): Promise<pg.Client> {
  const client = new pg.Client(address)
  client.on('error', () => undefined)
  await client.connect()
  t.after(() => client.end())
  return client
}
