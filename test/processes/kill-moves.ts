import assert from 'node:assert/strict'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { storage } from '../../src/app/storage.ts'
import { settings } from '../../src/config/settings.ts'
import { claimOf } from '../../src/db/doors/closed-file.ts'
import { OpenError } from '../../src/db/errors.ts'
import { openDbBriefly } from '../../src/db/open.ts'
import { crashStore } from '../harness/crashed-store.ts'
import { digestOf, run, type Scenario, without } from './kill-scenarios.ts'
import type { PostgresServer } from './postgres.ts'

const pollMs = 50
/** How long the server may need to notice that a client is gone. */
const goneMaxMs = 60_000

/** A small store moves, from and to SQLite and PostgreSQL: its last backup, and the restore of that. */
export async function makeMoveScenarios(
  root: string,
  folder: string,
  server: PostgresServer,
): Promise<Scenario[]> {
  const file = `sqlite:${join(folder, 'petstore.db')}`
  const backup = join(folder, 'last.backup')
  const [stores, backups, empty] = ['moving', 'moved', 'nothing'].map((name) =>
    join(root, name),
  ) as [string, string, string]
  for (const directory of [backups, empty]) mkdirSync(directory)
  const seed = { PETSTORE_DATABASE: `sqlite:${await crashStore(stores, { pets: 5 })}` }
  const stored = without('last_backup', await digestOf(seed.PETSTORE_DATABASE))
  const made = join(root, 'made.backup')
  await run(['backup', made, '--last'], seed)
  copyFileSync(made, join(backups, 'last.backup'))
  const source = await server.createDatabase()
  await run(['restore', made], { PETSTORE_DATABASE: source })
  await run(['backup', '--release'], seed)
  const env = { PETSTORE_DATABASE: '' }
  let elsewhere = 0

  /** A new database, empty or with the store. */
  async function renew(from?: string) {
    if (env.PETSTORE_DATABASE !== '') await server.dropDatabase(env.PETSTORE_DATABASE)
    const database = await server.createDatabase()
    env.PETSTORE_DATABASE = database
    if (from === undefined) return
    await server.query(`drop database ${nameOf(database)}`)
    await server.query(`create database ${nameOf(database)} template ${nameOf(from)}`)
  }

  /** Either the store can be used, or there is its complete backup, or neither until the same command is run again. */
  async function checkLeft(from: string): Promise<string> {
    const place = { PETSTORE_DATABASE: from }
    const seen = await look(from)
    const isUsed = typeof seen !== 'string'
    if (isUsed) assert.deepEqual(without('last_backup', seen), stored)
    else assert.match(seen, /(?:is being|was) moved to the backup/)
    const isMade = existsSync(backup)
    assert.ok(!isUsed || !isMade, 'both are used')
    if (isUsed || /is being moved/.test(seen)) await run(['backup', backup, '--last'], place)
    assert.match(String(await look(from)), /was moved to the backup/)
    const to = `sqlite:${join(root, `elsewhere-${elsewhere++}.db`)}`
    await run(['restore', backup], { PETSTORE_DATABASE: to })
    assert.deepEqual(without('last_backup', await digestOf(to)), stored)
    return isUsed ? 'store' : isMade ? 'backup' : 'refused'
  }

  /** The store goes on, or nothing does until the same command is run again. */
  async function checkArrived(to: string): Promise<string> {
    const seen = (await isThere(to)) ? await look(to) : 'nothing'
    const isNew = typeof seen !== 'string'
    assert.ok(!isNew || claimOf(backup) !== 0, 'the backup could go on elsewhere too')
    if (!isNew) {
      assert.match(seen, /^nothing$|has not ended.* again: it begins anew/)
      await run(['restore', backup], { PETSTORE_DATABASE: to })
    }
    assert.deepEqual(without('last_backup', await digestOf(to)), stored)
    assert.notEqual(claimOf(backup), 0)
    return isNew ? 'new' : seen === 'nothing' ? 'nothing' : 'refused'
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

  const onFile = { env: { PETSTORE_DATABASE: file } }
  const leave = ['backup', backup, '--last']
  const arrive = ['restore', backup]
  return [
    {
      name: 'move: backup --last, SQLite',
      template: stores,
      args: async () => leave,
      ...onFile,
      check: () => checkLeft(file),
    },
    {
      name: 'move: restore, SQLite',
      template: backups,
      args: async () => arrive,
      ...onFile,
      check: () => checkArrived(file),
    },
    {
      name: 'move: backup --last, PostgreSQL',
      template: empty,
      args: async () => renew(source).then(() => leave),
      env,
      check: () => checkLeft(env.PETSTORE_DATABASE),
    },
    {
      name: 'move: restore, PostgreSQL',
      template: backups,
      args: async () => renew().then(() => arrive),
      env,
      check: () => checkArrived(env.PETSTORE_DATABASE),
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
