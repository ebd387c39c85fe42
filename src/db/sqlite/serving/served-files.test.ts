import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { itInFull } from '../../../../test/harness/extent.ts'
import { storage } from '../../../app/storage.ts'
import { insertPets, petsList } from '../../../features/pets/queries.ts'
import { openServedSqlite } from './db.ts'

const skip = process.platform === 'win32' ? 'Windows moves no file that is open' : false
const anyPage = { filter: {}, page: { limit: 100, sort: 'id', after: undefined } } as const

/** A store of its own, the error by which it was given up, and a path beside it. */
async function serve(t: TestContext, name = 'pets.db') {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-served-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, name)
  const lost: string[] = []
  const open = (other = path) =>
    openServedSqlite({
      path: other,
      storage,
      storageUrl: new URL('../../../app/storage.ts', import.meta.url).href,
      // A database that was moved has left its witness.
      warn: (sentence) =>
        assert.match(sentence, other === path ? /^$/ : /has neither its log nor \S+\.witness/),
      onLost: (reason) => lost.push(reason),
    })
  const db = await open()
  // An open store would keep the process alive when a test fails.
  t.after(() => db.close().catch(() => undefined))
  await db.write(insertPets, { name: 'Rex', categoryId: 7n })
  return { path, elsewhere: join(directory, 'elsewhere.db'), open, db, lost }
}

type Served = Awaited<ReturnType<typeof serve>>

/**
 * Fails unless the next write has an unknown outcome, later ones store nothing, and the store is given up, reported
 * once.
 */
async function expectLost({ db, lost }: Served, reason: RegExp) {
  const write = () => db.write(insertPets, { name: 'Max', categoryId: 7n })
  await assert.rejects(write(), { name: 'Unavailable', message: /it is stored or it is not/ })
  await assert.rejects(write(), { name: 'Unavailable', message: /Nothing was stored/ })
  assert.equal(lost.length, 1)
  assert.match(lost[0] ?? '', reason)
}

async function expectRex(db: Served['db']) {
  const { items } = await db.read(petsList.select, anyPage)
  assert.match(items[0] ?? '', /"name":"Rex"/)
  await db.close()
}

for (const ending of ['.lock', '-wal', '-shm']) {
  it(`nothing is acknowledged once the file that ends in ${ending} is gone, and nothing acknowledged is lost`, {
    skip,
  }, async (t) => {
    const served = await serve(t)

    rmSync(served.path + ending)

    await expectLost(served, new RegExp(`pets\\.db${ending} was moved away or deleted while`))
    await served.db.close()
    await expectRex(await served.open())
  })
}

itInFull('nothing is acknowledged once the lock is another file', { skip }, async (t) => {
  const served = await serve(t)

  rmSync(`${served.path}.lock`)
  writeFileSync(`${served.path}.lock`, '')

  await expectLost(served, /pets\.db\.lock was replaced while/)
  await served.db.close()
})

itInFull(
  'the write-ahead log of a replaced database stays with it, and is never applied to the new one',
  {
    skip,
  },
  async (t) => {
    const served = await serve(t)
    const { path, elsewhere } = served

    renameSync(path, elsewhere)
    copyFileSync(elsewhere, path)

    await expectLost(served, /pets\.db was replaced while/)
    assert.equal(statSync(`${path}-wal`).size, 0)
    await served.db.close()
    await expectRex(await served.open(elsewhere))
  },
)

itInFull(
  'a database that was moved keeps its write-ahead log, also when the service stops right after',
  {
    skip,
  },
  async (t) => {
    const served = await serve(t)

    renameSync(served.path, served.elsewhere)
    await served.db.close()

    await expectRex(await served.open(served.elsewhere))
  },
)
