import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { storage } from '../../src/app/storage.ts'
import { settings } from '../../src/config/settings.ts'
import { OpenError } from '../../src/db/errors.ts'
import { openDbBriefly } from '../../src/db/open.ts'
import { crashStore } from '../harness/crashed-store.ts'
import { digestOf, run, type Scenario } from './kill-scenarios.ts'
import type { PostgresServer } from './postgres.ts'

const pollMs = 50
/** How long the server may need to notice that a client is gone. */
const goneMaxMs = 60_000

/** Transfers of a small store to PostgreSQL and back. */
export async function makeTransferScenarios(
  root: string,
  folder: string,
  server: PostgresServer,
): Promise<Scenario[]> {
  const file = `sqlite:${join(folder, 'petstore.db')}`
  const [template, empty] = [join(root, 'transferred'), join(root, 'untouched')]
  mkdirSync(empty)
  const seed = `sqlite:${await crashStore(template, { pets: 5 })}`
  const stored = await digestOf(seed)
  const source = await server.createDatabase()
  await run(['transfer', '--from', seed, '--to', source], {})
  await run(['transfer', '--release', '--from', seed], {})
  let database = ''

  /** A new database, empty or with the store. */
  async function renew(from?: string) {
    if (database !== '') await server.dropDatabase(database)
    database = await server.createDatabase()
    if (from === undefined) return
    await server.query(`drop database ${nameOf(database)}`)
    await server.query(`create database ${nameOf(database)} template ${nameOf(from)}`)
  }

  async function check(from: string, to: string): Promise<string> {
    const args = ['transfer', '--from', from, '--to', to]
    const sourceSeen = await look(from)
    const targetSeen = (await isThere(to)) ? await look(to) : 'nothing'
    for (const seen of [sourceSeen, targetSeen])
      if (typeof seen !== 'string') assert.deepEqual(seen, stored)
    const isMoved = typeof targetSeen !== 'string'
    assert.ok(!isMoved || typeof sourceSeen === 'string', 'both are used')
    if (!isMoved) {
      assert.match(targetSeen, /^nothing$|has not ended.* again: it begins anew/)
      await run(args, {})
    }
    assert.deepEqual(await digestOf(to), stored)
    assert.match(String(await look(from)), /was transferred to/)
    if (isMoved) return 'target'
    if (typeof sourceSeen === 'string') return 'neither'
    return targetSeen === 'nothing' ? 'source, target untouched' : 'source, target refused'
  }

  async function isThere(address: string): Promise<boolean> {
    if (address === file) {
      const path = join(folder, 'petstore.db')
      return existsSync(path) || existsSync(`${path}.unfinished`)
    }
    const { rows } = await server.query(
      "select to_regclass('migrations') is not null as found",
      nameOf(address),
    )
    return rows[0].found
  }

  return [
    {
      name: 'transfer to PostgreSQL',
      template,
      async args() {
        await renew()
        return ['transfer', '--from', file, '--to', database]
      },
      env: {},
      check: () => check(file, database),
    },
    {
      name: 'transfer to SQLite',
      template: empty,
      async args() {
        await renew(source)
        return ['transfer', '--from', database, '--to', file]
      },
      env: {},
      check: () => check(database, file),
    },
  ]
}

function nameOf(address: string): string {
  return new URL(address).pathname.slice(1)
}

/** What a command finds that would create a missing store: all rows, or why it refuses. */
async function look(address: string) {
  const deadline = performance.now() + goneMaxMs
  for (;;) {
    try {
      const db = await openDbBriefly(settings.database.read(address), {
        storage,
        warn: () => undefined,
      })
      await db.close()
      return await digestOf(address)
    } catch (error) {
      if (!(error instanceof OpenError)) throw error
      // The session of the killed process may not have ended yet.
      if (error.reason !== 'alreadyServed' || performance.now() > deadline) return error.message
      await sleep(pollMs)
    }
  }
}
