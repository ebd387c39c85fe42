import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readdirSync, readFileSync, truncateSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { storage } from '../../src/app/storage.ts'
import { settings } from '../../src/config/settings.ts'
import { type Digests, digestStore } from '../../src/db/copying/copy-store.ts'
import { copiedTables } from '../../src/db/doors/tables-at.ts'
import { OpenError } from '../../src/db/errors.ts'
import { filesOf, listAside } from '../../src/db/sqlite/locking/replace-store.ts'
import { copyStore, crashStore, serveStore } from '../harness/crashed-store.ts'
import { readStore } from '../harness/store-reader.ts'
import { petstoreInThread } from './command-thread.ts'

/** A command, and the promise that it has to keep whenever it is killed. */
export type Scenario = {
  name: string
  /** What is in the folder at the beginning. */
  template: string
  args(): Promise<string[]>
  env: Record<string, string>
  /** Returns what is there after a kill, a word for the table; throws where the promise is broken. Runs the command again. */
  check(): Promise<string>
}

/** The log ends within its last commits. */
const damagedLogBytes = 30_000

/** What all tables of a store hold, and their last ids. */
export async function digestOf(address: string): Promise<Digests> {
  const reader = await readStore(settings.database.read(address))
  try {
    return await digestStore(reader, copiedTables(storage), () => undefined)
  } finally {
    await reader.close()
  }
}

/** Runs a command in this process; the sentence where it does not end with one of these codes. */
export async function run(args: string[], env: Record<string, string>, codes = [0]) {
  const { code, stderr } = await petstoreInThread(args, { env })
  assert.ok(codes.includes(code ?? -1), `petstore ${args.join(' ')} ended with ${code}: ${stderr}`)
  return code
}

/** The scenarios whose stores are files. */
export async function makeFileScenarios(root: string, folder: string): Promise<Scenario[]> {
  const path = join(folder, 'petstore.db')
  const kept = join(folder, 'kept')
  const file = join(root, 'pets.backup')
  const env = { PETSTORE_DATABASE: `sqlite:${path}` }
  const [empty, crashed, damaged, backups, other] = [
    'empty',
    'crashed',
    'damaged',
    'backups',
    'other',
  ].map((name) => join(root, name)) as [string, string, string, string, string]
  for (const directory of [empty, crashed, other, join(backups, 'kept')])
    mkdirSync(directory, { recursive: true })

  await crashStore(crashed, { pets: 5 })
  cpSync(crashed, damaged, { recursive: true })
  truncateSync(join(damaged, 'petstore.db-wal'), damagedLogBytes)
  const damagedBytes = bytesOf(join(damaged, 'petstore.db'))
  await run(['backup', file], {
    PETSTORE_DATABASE: `sqlite:${await crashStore(other, { pets: 3 })}`,
  })
  cpSync(crashed, backups, { recursive: true })
  for (const year of [2020, 2021, 2022])
    cpSync(file, join(backups, 'kept', `production-${year}-01-01T00-00-00Z.backup`))

  const old = await digestCopy(join(crashed, 'petstore.db'), join(root, 'look'))
  const filled = await resultOf(empty, join(root, 'filled'), ['restore', file])
  const replace = ['restore', file, '--replace']
  const replaced = await resultOf(crashed, join(root, 'replaced'), replace)
  // The log begins anew, one position higher.
  const replacedTwice = await resultOf(join(root, 'replaced'), join(root, 'twice'), replace)
  const recovered = await resultOf(damaged, join(root, 'recovered'), ['recover'])

  /** What a service and `verify` find: all rows, or a refusal of both. */
  async function look(): Promise<Digests | string> {
    try {
      await (await serveStore(path)).close()
    } catch (error) {
      if (!(error instanceof OpenError)) throw error
      await run(['verify'], env, [65, 78])
      return error.message
    }
    await run(['verify'], env)
    return digestOf(`sqlite:${path}`)
  }

  async function repeat(args: string[], after: Digests) {
    await run(args, env)
    assert.deepEqual(await digestOf(`sqlite:${path}`), after)
    const left = readdirSync(folder).filter((name) =>
      /\.(?:new|unfinished|recovering|salv)/.test(name),
    )
    assert.deepEqual(left, [])
  }

  return [
    {
      name: 'backup FOLDER --keep 2',
      template: backups,
      args: async () => ['backup', kept, '--keep', '2'],
      env,
      async check() {
        const count = await wholeBackups(kept)
        assert.ok(count >= 2, `${count} backups are left`)
        // The store knows of its last backup.
        assert.deepEqual(without('last_backup', await look()), without('last_backup', old))
        // The name has the second.
        await sleep(1_000)
        await run(['backup', kept, '--keep', '2'], env)
        assert.equal(await wholeBackups(kept), 2)
        assert.equal(readdirSync(kept).length, 2)
        return `${count} whole backups`
      },
    },
    {
      name: 'restore FILE',
      template: empty,
      args: async () => ['restore', file],
      env,
      async check() {
        const isEmpty = !readdirSync(folder).some((name) => !/\.lock(?:-journal)?$/.test(name))
        const seen = isEmpty ? '' : await look()
        if (typeof seen !== 'string') {
          assert.deepEqual(seen, filled)
          return 'new'
        }
        assert.match(seen, /^$|run it again: it begins anew/)
        await repeat(['restore', file], filled)
        return isEmpty ? 'nothing' : 'refused'
      },
    },
    {
      name: 'restore FILE --replace',
      template: crashed,
      args: async () => replace,
      env,
      async check() {
        const seen = await look()
        const isRefused = typeof seen === 'string'
        const isOld = isDeepStrictEqual(seen, old)
        if (isRefused) assert.match(seen, /petstore restore again: it first puts them back/)
        else if (!isOld) assert.deepEqual(seen, replaced)
        await repeat(replace, isRefused || isOld ? replaced : replacedTwice)
        const aside = listAside(path).map((one, index) =>
          digestCopy(one, join(root, `look-${index}`)),
        )
        assert.ok(
          (await Promise.all(aside)).some((one) => isDeepStrictEqual(one, old)),
          'old is lost',
        )
        return isRefused ? 'refused' : isOld ? 'old' : 'new'
      },
    },
    {
      name: 'recover',
      template: damaged,
      args: async () => ['recover'],
      env,
      async check() {
        const isOld = isDeepStrictEqual(bytesOf(path), damagedBytes)
        const seen = await look()
        if (typeof seen !== 'string') {
          assert.deepEqual(seen, recovered)
          return 'new'
        }
        if (!isOld) assert.match(seen, /petstore recover again: it first puts them back/)
        await repeat(['recover'], recovered)
        const aside = listAside(path).map(bytesOf)
        assert.ok(
          aside.some((one) => isDeepStrictEqual(one, damagedBytes)),
          'damaged files are lost',
        )
        return isOld ? 'old' : 'refused'
      },
    },
  ]
}

/** What a command leaves that is not killed, in a place with the files of a template. */
async function resultOf(template: string, directory: string, args: string[]) {
  cpSync(template, directory, { recursive: true })
  const address = `sqlite:${join(directory, 'petstore.db')}`
  await run(args, { PETSTORE_DATABASE: address })
  return digestOf(address)
}

/** Reading changes the files: it is done in a copy. */
function digestCopy(path: string, copy: string): Promise<Digests> {
  copyStore(path, join(copy, 'petstore.db'))
  return digestOf(`sqlite:${join(copy, 'petstore.db')}`)
}

function bytesOf(path: string): Record<string, string> {
  return Object.fromEntries(
    filesOf(path).map((file) => [
      basename(file).slice(basename(path).length),
      readFileSync(file, 'base64'),
    ]),
  )
}

export function without(table: string, digests: Digests | string): Digests {
  assert.ok(typeof digests !== 'string', String(digests))
  return Object.fromEntries(Object.entries(digests).filter(([name]) => name !== table))
}

/** How many backups are in a folder; each can be restored. */
async function wholeBackups(folder: string): Promise<number> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.backup'))
  for (const name of names) await run(['backup', '--check', join(folder, name)], {})
  return names.length
}
