import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it } from 'node:test'
import { encodeManifest } from '../../src/admin/backup/manifest.ts'
import { openManifest } from '../../src/admin/backup/open-backup.ts'
import { storage } from '../../src/app/storage.ts'
import { enterDatabase } from '../../src/db/sqlite/locking/lock.ts'
import { aBackedUpStore, lastPetId, petCount } from '../harness/backed-up-store.ts'
import { itInFull } from '../harness/extent.ts'
import { serveHere } from '../harness/serve-here.ts'
import { contentsOf } from '../harness/sold-on-sqlite.ts'
import { change, rowsIn } from '../harness/sqlite-file.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor } from '../processes/process.ts'

type Env = Record<string, string>

/** Runs `restore --json`; returns what it printed. */
async function restore(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread(['restore', '--json', ...args], { env })
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  return { code, report: JSON.parse(stdout) }
}

/** Starts a service, sends a POST for a pet, stops it; returns the response. */
async function createPet(env: Env, key: string, headers: Record<string, string> = {}) {
  const service = await serveHere(env)
  const response = await ask(`${service.baseUrl}/pets`, key, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"name":"Rex","categoryId":1}',
  })
  await service.stop()
  return response
}

it('restore: into an empty place; keys and stored results are those of the backup, and ids leave room', async (t) => {
  const { env, folder, path } = await aBackedUpStore(t)
  const created = await petstoreInThread(['keys', 'create', '--name', 'third'], { env })
  const key = created.stdout.trim()
  const first = await createPet(env, key, { 'idempotency-key': 'once' })
  const file = join(folder, 'later.backup')
  await petstoreInThread(['backup', file], { env })
  // As one that is kept.
  chmodSync(file, 0o444)
  const directory = aDirectory(t)
  const place = settingsFor(directory)

  const { code, stdout, stderr } = await petstoreInThread(['restore', file], { env: place })
  const [original, restored] = [path, join(directory, 'petstore.db')].map((one) =>
    rowsIn(one, 'select * from keys order by id'),
  )
  const again = await createPet(place, key, { 'idempotency-key': 'once' })
  const next = await createPet(place, key)

  assert.deepEqual([code, stdout], [0, ''], stderr)
  assert.match(
    stderr,
    /petstore\.db has the contents of \S+later\.backup, of 20\S+Z: \d+ rows, [\d.]+ MB, in \d+\.\d s\. It is not known which ids were assigned after the backup, so 1,000,000 of each table stay unused; --skip-ids N sets how many\.\n$/,
  )
  assert.deepEqual(restored, original, 'with last use, and what a rotation replaced')
  assert.match(restored?.[0] ?? '', /pet_live_….*pet_live_…/)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.equal(JSON.parse(next.text).id, 1_000_000 + lastPetId + 2)
  assert.equal(statSync(join(directory, 'petstore.db')).mode & 0o777, 0o600)
  const verified = await petstoreInThread(['verify'], { env: place })
  assert.equal(verified.code, 0, verified.stdout)
})

it('restore --replace: keeps the old store, and none of its ids is assigned again', async (t) => {
  const { env, file, directory, path } = await aBackedUpStore(t)
  change(path, [
    `insert into pets (name, name_key, category_id) values ('Rex', 'rex', 1)`,
    'delete from pets where id > 5',
  ])
  const without = await petstoreInThread(['restore', file], { env })
  const old = contentsOf(directory)
  // Neither a folder with such a name nor the file of a store that was kept is one of this store.
  const kept = `${path}.replaced-2026-01-01T00-00-00Z`
  mkdirSync(kept)
  writeFileSync(`${kept}.damaged-2026-01-01T00-00-00Z.new`, '')
  const { code, report } = await restore(env, file, '--replace')

  assert.equal(without.code, 64)
  assert.match(without.stderr, /petstore\.db exists\. --replace keeps it under another name, /)
  assert.deepEqual([code, report.findings, report.database], [0, 0, path])
  assert.match(basename(report.kept), /^petstore\.db\.replaced-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/)
  assert.equal(readFileSync(report.kept, 'base64'), old['petstore.db'])
  assert.equal(report.lastIds.pets, String(lastPetId + 1))
  assert.deepEqual(rowsIn(path, 'select count(*) from pets'), [String(petCount)])
  assert.deepEqual(rowsIn(path, `select seq from sqlite_sequence where name = 'pets'`), [
    String(lastPetId + 1),
  ])
  assert.deepEqual(rowsIn(path, 'select count(*) from last_backup'), ['1'])
})

it('64 usage: restore of a folder names its newest backup', async (t) => {
  const { env, file, folder } = await aBackedUpStore(t)
  const restoreFolder = () => petstoreInThread(['restore', folder, '--replace'], { env })
  const without = await restoreFolder()
  const newest = join(folder, 'production-2026-12-05T03-00-00Z.backup')
  for (const name of [newest, join(folder, 'production-2026-12-04T03-00-00Z.backup')])
    copyFileSync(file, name)
  const { code, stderr } = await restoreFolder()

  assert.deepEqual([without.code, code], [64, 64])
  assert.match(without.stderr, /is a folder, without a backup of production that has the time/)
  assert.ok(stderr.includes(` is a folder. Its newest backup of production is ${newest}.`))
})

itInFull(
  '64 usage: restore refuses to go without a backup, a store in memory, and a wrong --skip-ids',
  async (t) => {
    const { env, file, folder } = await aBackedUpStore(t)
    const refusals = [
      [[], /^Say which backup: petstore restore FILE\. See /],
      [[join(folder, 'none')], /^There is no file \S+none\. See /],
      [[file, '--skip-ids=-1'], /^Say how many ids are to stay unused: --skip-ids N, from 0 to /],
    ] as const

    for (const [args, sentence] of refusals) {
      const { code, stderr } = await petstoreInThread(['restore', ...args], { env })
      assert.equal(code, 64)
      assert.match(stderr, sentence)
    }
    const inMemory = { PETSTORE_DATABASE: 'sqlite::memory:' }
    assert.equal((await petstoreInThread(['restore', file], { env: inMemory })).code, 64)
  },
)

it('restore --json: refuses the other environment, a newer version, and a damaged backup; nothing is changed', async (t) => {
  const { env, file, folder, directory } = await aBackedUpStore(t)
  const changed = (name: string, ...statements: string[]) => {
    const copy = join(folder, name)
    copyFileSync(file, copy)
    change(copy, statements)
    return copy
  }
  const rewritten = (edit: object) => {
    const [text, sha256] = encodeManifest({ ...openManifest(storage, file), ...edit })
    return `update backup_manifest set manifest = '${text}', sha256 = '${sha256}'`
  }
  const laterFormat = `update backup_manifest set manifest = json_set(manifest, '$.format', 2)`
  const cut = changed('cut')
  truncateSync(cut, statSync(cut).size / 8)
  const text = join(folder, 'text')
  writeFileSync(text, 'notes')
  const before = contentsOf(directory)
  const refusals: [code: number, sentence: RegExp, file: string, ...options: string[]][] = [
    [78, /holds the data of production, and this is staging\./, file, '--environment', 'staging'],
    [76, /made by a newer version of this program, \d/, changed('format', laterFormat)],
    [76, /newer .* \(9_new\)\. /, changed('schema', rewritten({ schema: '9_new', program: '2' }))],
    [78, /of an older version before 1/, changed('early', rewritten({ schema: '0031_early' }))],
    [65, /the rows of pets /, changed('row', `update pets set name = 'Max' where id = 7`)],
    [65, /cut (?:is damaged|cannot be read)/, cut],
    [65, /is not a backup that petstore backup has made/, text],
    [64, /null is no regular file\. .*: save what a pipe has in a file first\./, '/dev/null'],
  ]

  for (const [code, sentence, given, ...options] of refusals) {
    const args = ['restore', '--json', '--replace', given, ...options]
    const end = await petstoreInThread(args, { env })
    assert.deepEqual([end.code, end.stdout], [code, ''], end.stderr)
    assert.match(end.stderr, sentence)
    assert.deepEqual(contentsOf(directory), before)
  }
  // Without a store of before 1.0.0, what an interrupted restore has left is kept.
  const left = join(aDirectory(t), 'petstore.db.unfinished')
  writeFileSync(left, 'a store')
  const place = settingsFor(dirname(left))
  assert.equal((await petstoreInThread(['restore', '--replace'], { env: place })).code, 78)
  assert.equal(readFileSync(left, 'utf8'), 'a store')
})

it('75 alreadyServed: a second restore to one place; what the first has made stays', async (t) => {
  const { env, file, path } = await aBackedUpStore(t)
  writeFileSync(`${path}.unfinished`, 'half a store')
  using _first = enterDatabase(path, 'replace')

  const { code, stderr } = await petstoreInThread(['restore', file, '--replace'], { env })

  assert.equal(code, 75)
  assert.match(stderr, /petstore\.db is in use by another process/)
  assert.equal(readFileSync(`${path}.unfinished`, 'utf8'), 'half a store')
})

itInFull('75 alreadyServed: restore does not touch a store that is served', async (t) => {
  const { env, file, directory, path } = await aBackedUpStore(t)
  const service = await serveHere(env)
  const before = readdirSync(directory)

  const { code, stderr } = await petstoreInThread(['restore', file, '--replace'], { env })
  const after = readdirSync(directory)
  await service.stop()

  assert.equal(code, 75)
  assert.match(
    stderr,
    /petstore\.db is in use by another process\. Stop it, and run this command again\.\n$/,
  )
  assert.deepEqual(after, before)
  assert.equal(new DatabaseSync(path).prepare('select 1 as one').get()?.one, 1)
})
