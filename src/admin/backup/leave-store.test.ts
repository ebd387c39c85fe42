import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { isOnPostgres } from '../../../test/harness/engine.ts'
import { itInFull } from '../../../test/harness/extent.ts'
import {
  at,
  expectServed,
  isRefused,
  sell,
  serve,
  twoPlaces,
} from '../../../test/harness/moved-stores.ts'
import { rowsIn } from '../../../test/harness/sqlite-file.ts'
import { petstoreInThread } from '../../../test/processes/command-thread.ts'
import { declared } from '../../app/declared.ts'
import { storage } from '../../app/storage.ts'
import { claimOf } from '../../db/doors/closed-file.ts'
import { holdStore } from '../../db/doors/open.ts'
import { openDbBriefly } from '../../db/open.ts'
import type { StoreMark } from '../../db/schema/store-mark.ts'
import { insertEnvironment } from '../../features/environment/queries.ts'
import { leaveStore } from './leave-store.ts'
import { openManifest } from './open-backup.ts'

// From a file to a store of this run's engine, and back.

/** Left to one of the two engines by `npm test`. */
const itOnPostgres = isOnPostgres ? it : itInFull

/** Two places, and the file of a last backup. */
async function places(t: TestContext) {
  const { file, other } = await twoPlaces(t)
  return { from: file, to: other, backup: `${file.replace('sqlite:', '')}.backup` }
}

function petstore(address: string, ...args: string[]) {
  const env = { PETSTORE_DATABASE: address, PETSTORE_ENVIRONMENT: 'staging' }
  return petstoreInThread(args, { env })
}

async function run(address: string, ...args: string[]) {
  const { code, stderr, stdout } = await petstore(address, ...args)
  assert.equal(code, 0, stderr)
  return stderr + stdout
}

async function expectError(code: number, pattern: RegExp, address: string, ...args: string[]) {
  const refused = await petstore(address, ...args)
  assert.deepEqual([refused.code, refused.stdout], [code, ''], refused.stderr)
  assert.match(refused.stderr, pattern)
}

/** Leaves a store as a process does that is killed behind this mark. */
async function mark(address: string, change: (mark: StoreMark | undefined) => StoreMark) {
  const store = await holdStore(at(address), storage)
  await store.setMark(change(store.mark))
  await store.close()
}

/** The backup is restored as a copy, whose ids are far behind those of the store that has moved. */
async function expectCopy(address: string, backup: string) {
  const told = await run(address, 'restore', backup)
  assert.match(told, /It is a copy: .* 1,000,000 of each table stay unused/)
  const app = await serve(address)
  assert.ok((await app.api.createPet()).id > 1_000_000)
  await app.close()
}

describe('backup --last', () => {
  itOnPostgres(
    'moves all that a client sees; the old store is then refused by all that writes, and says where it went',
    async (t) => {
      const { from, to, backup } = await places(t)
      const sold = await sell(from)

      const left = await run(from, 'backup', backup, '--last')
      const arrived = await run(to, 'restore', backup)

      assert.match(left, /is not used any more\. Set PETSTORE_DATABASE .* petstore restore \S+;/)
      assert.match(arrived, /It is the store that has moved: its ids, events and webhooks go on\./)
      const moved = / was moved to the backup \S+ on .* petstore backup --release\.\n$/
      for (const args of [['serve'], ['seed', '--count', '1'], ['verify', '--repair', '--yes']])
        await expectError(78, moved, from, ...args)
      for (const name of [backup, `${backup}-2`])
        await expectError(78, moved, from, 'backup', name, '--last')
      await run(from, 'verify')
      await expectServed(to, sold)
    },
  )

  itInFull('moves a store back to a file', async (t) => {
    const { from, to, backup } = await places(t)
    const sold = await sell(to)

    await run(to, 'backup', backup, '--last')
    await run(from, 'restore', backup)

    await assert.rejects(serve(to), isRefused(/was moved to/))
    await expectServed(from, sold)
  })

  it('is restored once as the store that goes on: then, or where a store was, it is a copy', async (t) => {
    const { from, to, backup } = await places(t)
    await sell(from)
    await run(from, 'backup', backup, '--last')
    const untouched = `${backup}-2`
    copyFileSync(backup, untouched)
    const another = `${from}-2`
    await run(another, 'seed', '--count', '1')

    const replaced = await run(another, 'restore', untouched, '--replace')
    await run(to, 'restore', backup)

    assert.match(replaced, /It is a copy: the store that moved goes on once/)
    assert.equal(claimOf(untouched), 0)
    await expectCopy(`${from}-3`, backup)
  })

  itInFull('--release: the old store is used again, and its backup is a copy', async (t) => {
    const { from, to, backup } = await places(t)
    const sold = await sell(from)
    await run(from, 'backup', backup, '--last')

    const released = await run(from, 'backup', '--release')

    assert.match(released, /may be used again, as it was when it was moved\. Do not use what /)
    await expectError(78, /was not moved: it may be used/, from, 'backup', '--release')
    await expectServed(from, sold)
    await expectCopy(to, backup)
  })

  itInFull('interrupted: the store is refused, and the same command completes it', async (t) => {
    const { from, to, backup } = await places(t)
    const sold = await sell(to)
    const id = 'f'.repeat(32)
    await mark(to, () => ({ state: 'left', id, peer: backup, markedAt: 0 }))

    const refused = / is being moved to the backup .* Run petstore backup \S+ --last again; or /
    for (const args of [['serve'], ['backup', backup], ['backup', `${backup}-2`, '--last']])
      await expectError(78, refused, to, ...args)
    await run(to, 'backup', backup, '--last')

    assert.equal(openManifest(storage, backup).last, id)
    const bytes = readFileSync(backup, 'base64')
    await mark(to, (left) => ({ ...(left as StoreMark), id }))
    await expectError(78, refused, to, 'serve')
    await run(to, 'backup', backup, '--last')
    assert.equal(readFileSync(backup, 'base64'), bytes, 'it was complete')
    await mark(to, (left) => ({ ...(left as StoreMark), id }))
    writeFileSync(backup, Buffer.from(bytes, 'base64').fill(0xff, 8192))
    await expectError(
      65,
      /damaged.* Delete it, and run the same command/,
      to,
      'backup',
      backup,
      '--last',
    )
    rmSync(backup)
    await run(to, 'backup', backup, '--last')
    await assert.rejects(serve(to), isRefused(/was moved to/))
    await run(from, 'restore', backup)
    await expectServed(from, sold)
  })

  itInFull(
    'a restore that was interrupted when it had claimed the backup is completed',
    async (t) => {
      const { from, to, backup } = await places(t)
      const sold = await sell(from)
      await run(from, 'backup', backup, '--last')
      await run(to, 'restore', backup)
      if (isOnPostgres) {
        const id = String(claimOf(backup))
        await mark(to, () => ({ state: 'arriving', id, peer: backup, markedAt: 0 }))
      } else {
        const path = to.replace('sqlite:', '')
        renameSync(path, `${path}.unfinished`)
      }

      await assert.rejects(serve(to), isRefused(/not ended.* again: it begins anew, or completes/))
      const { goesOn, lastIds } = JSON.parse(await run(to, 'restore', backup, '--json'))

      assert.deepEqual([goesOn, lastIds.pets], [true, String(sold.lastId)])
      await expectServed(to, sold)
    },
  )

  itInFull('marks the store before there is a backup; a failure leaves it as it was', async (t) => {
    const { from, to, backup } = await places(t)
    const sold = await sell(to)
    await sell(from)
    const path = from.replace('sqlite:', '')
    const seen: unknown[] = []
    const target = { file: backup, unfinished: `${backup}.unfinished-1`, folder: dirname(backup) }
    const request = { source: at(from), environment: 'staging', program: '1.0.0' } as const
    await leaveStore(
      declared,
      { ...request, target: { ...target, isDated: false }, madeAtMs: 0, replaces: false },
      () => seen.push(rowsIn(path, 'select state from transfer_mark'), existsSync(backup)),
    )
    assert.deepEqual(seen.slice(0, 2), [['left'], false])
    rmSync(backup)
    mkdirSync(`${backup}.unfinished-${process.pid}/full`, { recursive: true })

    await expectError(74, / cannot be written: /, to, 'backup', backup, '--last')

    assert.equal(existsSync(backup), false)
    rmSync(`${backup}.unfinished-${process.pid}`, { recursive: true })
    await expectServed(to, sold)
  })

  itInFull(
    'is refused while the store is served, over another file, and for no store',
    async (t) => {
      const { from, to, backup } = await places(t)
      await expectError(78, /There is no store at/, from, 'backup', backup, '--last')
      const app = await serve(to)
      await expectError(75, / is (?:being served|in use)/, to, 'backup', backup, '--last')
      await app.close()
      await run(to, 'backup', backup)

      await expectError(64, / exists\. /, to, 'backup', backup, '--last')

      await (await serve(to)).close()
      await run(to, 'backup', backup, '--last', '--replace')
    },
  )

  itInFull('keeps a command that had opened the store before from writing to it', async (t) => {
    const { from, backup } = await places(t)
    await sell(from)
    const db = await openDbBriefly(at(from), { storage })

    await run(from, 'backup', backup, '--last')

    await assert.rejects(db.write(insertEnvironment, 'staging'), isRefused(/was moved to/))
    await db.close()
  })
})
