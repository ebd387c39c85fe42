import assert from 'node:assert/strict'
import fs, { copyFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it, type TestContext } from 'node:test'
import { storage } from '../../src/app/storage.ts'
import { OpenError } from '../../src/db/errors.ts'
import { placeOf } from '../../src/db/files/place-of.ts'
import { openDbBriefly } from '../../src/db/open.ts'
import { connect } from '../../src/db/sqlite/connection.ts'
import {
  filesOf,
  findReplacement,
  replaceStore,
  undoReplacement,
} from '../../src/db/sqlite/locking/replace-store.ts'
import { forgetStore } from '../../src/db/sqlite/loss/store-row.ts'
import { copyStore, crashStore } from '../harness/crashed-store.ts'
import { itInFull } from '../harness/extent.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

const [oldPets, newPets] = [3, 1]
const order = { reason: 'replaced', nowMs: Date.UTC(2026, 11, 5) } as const
const half = {
  reason: 'damaged',
  message: /petstore restore was interrupted .* again: it first puts/,
}

class Killed extends Error {}

/** Ends the work at its nth change of a file or sync, as a kill would; whether it came so far. */
function isKilledAt(moment: number, work: () => unknown): boolean {
  try {
    failing((call) => (call >= moment ? new Killed() : undefined), work)
    return false
  } catch (error) {
    if (error instanceof Killed || (error as Error).cause instanceof Killed) return true
    throw error
  }
}

/** Runs the work, whose changes of files and syncs fail as `failureOf` says of the nth. */
function failing(failureOf: (call: number) => Error | undefined, work: () => unknown) {
  const { renameSync, rmSync, fsyncSync } = fs
  let calls = 0
  const counted =
    <Args extends unknown[]>(call: (...args: Args) => void) =>
    (...args: Args) => {
      calls += 1
      const failure = failureOf(calls)
      if (failure) throw failure
      call(...args)
    }
  Object.assign(
    fs,
    Object.fromEntries(
      Object.entries({ renameSync, rmSync, fsyncSync }).map(([name, call]) => [
        name,
        counted(call as (...args: unknown[]) => void),
      ]),
    ),
  )
  syncBuiltinESMExports()
  try {
    work()
  } finally {
    Object.assign(fs, { renameSync, rmSync, fsyncSync })
    syncBuiltinESMExports()
  }
}

/** A store whose last commits are in its log alone, and a complete one in a file. */
async function twoStores(t: TestContext) {
  const [old, other] = [aDirectory(t), aDirectory(t)]
  const path = await crashStore(old, { pets: oldPets })
  const complete = await crashStore(other, { pets: newPets })
  const connection = connect(complete)
  forgetStore(connection)
  connection.close()
  return { path, complete }
}

/** How many pets a command finds. Throws what it throws. */
async function open(path: string): Promise<number> {
  const database = { engine: 'sqlite', path, name: path } as const
  const ignore = () => undefined
  const db = await openDbBriefly(database, {
    storage,
    warn: ignore,
  })
  await db.close()
  using file = new DatabaseSync(path)
  return Number(file.prepare('select count(*) as pets from pets').get()?.pets)
}

const bytesOf = (path: string) => filesOf(path).map((file) => readFileSync(file, 'base64'))

it('a kill while a store is replaced: it is the old one, or refused until a second run has put it back', async (t) => {
  const from = await twoStores(t)
  let refused = 0
  for (let moment = 1, isKilled = true; isKilled; moment++) {
    const directory = aDirectory(t)
    const [path, complete] = [join(directory, 'petstore.db'), join(directory, 'complete')]
    copyStore(from.path, path)
    copyFileSync(from.complete, complete)

    isKilled = isKilledAt(moment, () => replaceStore(path, complete, order))

    const found = await open(path).catch((error) => error)
    if (typeof found === 'number') {
      const isComplete = !readdirSync(directory).some((name) => /new$|complete/.test(name))
      assert.equal(found, isComplete ? newPets : oldPets, `moment ${moment}`)
      continue
    }
    refused += 1
    assert.equal(found.reason, half.reason)
    assert.match(found.message, half.message)
    let again = 1
    while (isKilledAt(again, () => undoReplacement(path)) && findReplacement(path)) {
      await assert.rejects(open(path), half)
      again += 1
    }
    assert.deepEqual(bytesOf(path), bytesOf(from.path))
    assert.equal(await open(path), oldPets)
  }
  assert.ok(refused >= 4, `${refused} moments`)
})

for (const code of ['EPERM', 'EIO']) {
  itInFull(
    `${code} while a store is replaced: it is the old one or the new one, and the message says which`,
    async (t) => {
      const from = await twoStores(t)
      const seen = new Set<string>()
      for (let moment = 1, hasFailed = true; hasFailed; moment++) {
        const directory = aDirectory(t)
        const [path, complete] = [join(directory, 'petstore.db'), join(directory, 'complete')]
        copyStore(from.path, path)
        copyFileSync(from.complete, complete)
        const failure = Object.assign(new Error(`${code}: not now`), { code })
        const work = () => replaceStore(path, complete, order)

        const error = caught(() => failing((call) => (call === moment ? failure : undefined), work))

        hasFailed = error !== undefined
        if (!(error instanceof OpenError)) assert.equal(error, undefined, `${moment}`)
        else assert.equal(error.reason, code === 'EPERM' ? 'noPermission' : 'ioError')
        const isOld = /: not now\. The old store is in its place, unchanged\.$/.test(
          error?.message ?? '',
        )
        if (error && !isOld)
          assert.match(error.message, /\. The new store is in its place; the old one/)
        if (isOld) assert.deepEqual(bytesOf(path), bytesOf(from.path))
        assert.ok(!readdirSync(directory).some((name) => name.endsWith('.new')))
        assert.equal(await open(path), isOld ? oldPets : newPets, `${moment}`)
        if (error) seen.add(isOld ? 'old' : 'new')
      }
      assert.deepEqual([...seen], ['old', 'new'])
    },
  )
}

function caught(work: () => unknown): unknown {
  try {
    return void work()
  } catch (error) {
    return error
  }
}

itInFull(
  '65 damaged: a store that is half replaced is refused by its real name and by a link, and restore ends that',
  async (t) => {
    const { path, complete } = await twoStores(t)
    const directory = aDirectory(t)
    const link = join(directory, 'link.db')
    const file = join(directory, 'pets.backup')
    const env = { PETSTORE_DATABASE: `sqlite:${link}` }
    symlinkSync(path, link)
    await petstoreInThread(['backup', file], { env })
    // The database has its new name, its log not yet.
    isKilledAt(4, () => replaceStore(placeOf(link), complete, order))

    for (const args of [['serve'], ['verify'], ['backup', join(directory, 'other')]]) {
      const { code, stderr } = await petstoreInThread(args, { env })
      assert.equal(code, 65, args.join(' '))
      assert.match(stderr, half.message)
    }
    const doctor = await petstoreInThread(['doctor'], { env })
    const { code, stderr } = await petstoreInThread(['restore', file, '--replace'], { env })

    assert.match(doctor.stdout.replaceAll(/\s+/g, ' '), /petstore restore was interrupted/)
    assert.equal(code, 0, stderr)
    assert.equal(await open(link), oldPets)
    assert.ok(!readdirSync(join(path, '..')).some((name) => name.endsWith('.new')))
  },
)
