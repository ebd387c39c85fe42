import assert from 'node:assert/strict'
import {
  chmodSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { selectLastBackup } from '../../src/admin/backup/queries.ts'
import { connect } from '../../src/db/sqlite/connection.ts'
import { aBackedUpStore, backup, lastPetId, petCount } from '../harness/backed-up-store.ts'
import { cases, itInFull } from '../harness/extent.ts'
import { expectRefusal } from '../harness/refusal.ts'
import { serveHere } from '../harness/serve-here.ts'
import { change } from '../harness/sqlite-file.ts'
import { aDirectory, ask } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

function rowsOf(tables: { name: string; rows: number }[]) {
  return Object.fromEntries(tables.map(({ name, rows }) => [name, rows]))
}

it('backup: beside a running service; the file has all that was acknowledged, for its owner alone', async (t) => {
  const { env, folder } = await aBackedUpStore(t)
  const service = await serveHere(env)
  const key = (await petstoreInThread(['keys', 'create', '--name', 'third'], { env })).stdout.trim()
  const post = (name: string) =>
    ask(`${service.baseUrl}/pets`, key, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify({ name, categoryId: 2 }),
    })
  assert.equal((await post('Dora')).status, 201)

  const file = join(folder, 'served.backup')
  const { code, stdout, stderr } = await petstoreInThread(['backup', file], { env })
  const after = await post('Emil')
  await service.stop()
  const { report } = await backup(env, '--check', file)

  assert.deepEqual([code, stdout], [0, ''], stderr)
  assert.match(
    stderr,
    /^\S+petstore\.db is backed up in \S+served\.backup: \d+ rows, [\d.]+ MB, in \d+\.\d s\.\n$/,
  )
  assert.equal(after.status, 201)
  assert.deepEqual(readdirSync(folder), ['pets.backup', 'served.backup'])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const { pets, keys, idempotency_keys } = rowsOf(report.tables)
  assert.deepEqual([pets, keys, idempotency_keys], [petCount + 1, 3, 2])
  const { lastId } = report.tables.find(({ name }: { name: string }) => name === 'pets')
  assert.equal(lastId, String(lastPetId + 1))
})

itInFull('backup --json: of a store that nobody serves; the store knows of it', async (t) => {
  const { env, folder, directory, path } = await aBackedUpStore(t)
  const file = join(folder, 'other.backup')

  const { code, stderr, report } = await backup(env, file)

  assert.deepEqual([code, stderr, report.file, report.findings], [0, '', file, 0])
  assert.deepEqual([report.environment, report.engine], ['production', 'sqlite'])
  assert.equal(report.bytes, statSync(file).size)
  const files = readdirSync(directory).filter((name) => !name.endsWith('.lock'))
  assert.deepEqual(files, ['petstore.db', 'petstore.db.witness'])
  const connection = connect(path, 'immutable')
  const recorded = await selectLastBackup.run(connection, [undefined])
  connection.close()
  assert.deepEqual(recorded, [{ madeAt: BigInt(Date.parse(report.madeAt)), file }])
})

itInFull(
  'backup --check: prints what is in a backup, and changes nothing, even where it is read-only',
  async (t) => {
    const { file, folder } = await aBackedUpStore(t)
    chmodSync(file, 0o400)
    chmodSync(folder, 0o500)
    const bytes = readFileSync(file, 'base64')

    const { code, stdout, stderr } = await petstoreInThread(['backup', file, '--check'])
    const wrong = await petstoreInThread(['backup', file, '--check', '--replace'])

    assert.deepEqual([code, stderr], [0, ''])
    assert.match(
      stdout,
      /pets\.backup: a backup of production at 20\S+Z, made by petstore \d+\.\d+\.\d+ from SQLite, 0\d+_\w+, [\d.]+ MB\.\n/,
    )
    assert.match(stdout, new RegExp(`^pets +${petCount} +${lastPetId}$`, 'm'))
    assert.match(stdout, /^ok {2}stock: [\s\S]*Nothing is wrong\.\n$/m)
    assert.equal(readFileSync(file, 'base64'), bytes)
    assert.deepEqual(readdirSync(folder), ['pets.backup'])
    assert.equal(wrong.code, 64)
  },
)

itInFull(
  '65 damaged: backup --check finds a changed row, last id or manifest, a damaged page, and what is no backup',
  async (t) => {
    const { file, path } = await aBackedUpStore(t)
    const copy = `${file}.copy`
    const check = async (...statements: string[]) => {
      copyFileSync(file, copy)
      change(copy, statements)
      const { code, stderr } = await petstoreInThread(['backup', '--check', copy])
      assert.equal(code, 65)
      assert.ok(stderr.startsWith(copy), stderr)
      return stderr.slice(copy.length)
    }
    const changedRows = (table: string) =>
      ` is damaged: the rows of ${table} are not those that were backed up. Nothing was changed; use another backup.\n`
    const faults: [statements: string[], sentence: string][] = [
      [[`update orders set reference = 'x' where id = 5`], changedRows('orders')],
      [[`update sqlite_sequence set seq = ${petCount} where name = 'pets'`], changedRows('pets')],
      [
        [
          'pragma writable_schema = on',
          `update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'orders_pet')
          where name = 'pets_category'`,
        ],
        ' cannot be used. The file is damaged: 2nd reference to page ',
      ],
      [
        [`update backup_manifest set manifest = replace(manifest, 'production', 'staging')`],
        ' is damaged: its manifest is not the one that was written. Nothing was changed; use another backup.\n',
      ],
    ]

    for (const [statements, sentence] of cases(faults, { quickEvery: 3 })) {
      const found = await check(...statements)
      assert.ok(found.startsWith(sentence), found)
    }
    const onStore = await petstoreInThread(['backup', '--check', path])
    assert.equal(onStore.code, 78)
    assert.match(onStore.stderr, /petstore\.db is a store, not a backup: it can be served as it is/)
    writeFileSync(copy, 'notes')
    const onText = await petstoreInThread(['backup', '--check', copy])
    assert.deepEqual([onText.code, onText.stdout], [65, ''])
  },
)

itInFull(
  'backup --replace: puts a new backup in the place of an old one, and of nothing else',
  async (t) => {
    const { env, file, folder, path } = await aBackedUpStore(t)
    const bytes = readFileSync(file, 'base64')
    const text = join(folder, 'notes.txt')
    writeFileSync(text, 'mine')

    const without = await petstoreInThread(['backup', file], { env })
    const onText = await petstoreInThread(['backup', '--replace', text], { env })
    const onStore = await petstoreInThread(['backup', '--replace', path], { env })
    const unchanged = readFileSync(file, 'base64')
    const replaced = await backup(env, '--replace', file)

    assert.equal(without.code, 64)
    assert.match(without.stderr, /pets\.backup exists\. .* --replace replaces this one\. See /)
    for (const { code, stderr } of [onText, onStore]) {
      assert.equal(code, 64)
      assert.match(stderr, / exists and is not a backup\. Choose another name\. See /)
    }
    assert.deepEqual([unchanged, readFileSync(text, 'utf8')], [bytes, 'mine'])
    assert.equal(replaced.code, 0)
    assert.notEqual(readFileSync(file, 'base64'), bytes)
    assert.deepEqual(readdirSync(folder), ['notes.txt', 'pets.backup'])
  },
)

itInFull(
  '64 usage: backup refuses to go without a place, over the files of the database, and a store in memory',
  async (t) => {
    const { env, folder, path } = await aBackedUpStore(t)
    const file = join(folder, 'new.backup')
    const refusals = [
      [[], /^Say where: petstore backup FILE, or a folder\. See /],
      [[`${path}-wal`], /is the name of a file that SQLite keeps beside the database\. /],
      [[file, '--keep', '3'], /^--keep is for a folder, which gets a new file each time\. See /],
      [[folder, '--keep', '0'], /^Say how many backups to keep: --keep N, from 1 to 999999\. See /],
    ] as const

    for (const [args, sentence] of refusals) {
      const { code, stdout, stderr } = await petstoreInThread(['backup', ...args], { env })
      assert.deepEqual([code, stdout], [64, ''])
      assert.match(stderr, sentence)
    }
    const inMemory = await petstoreInThread(['backup', file], {
      env: { PETSTORE_DATABASE: 'sqlite::memory:' },
    })
    const nowhere = await petstoreInThread(['backup', join(folder, 'no/pets.backup')], { env })
    assert.deepEqual([inMemory.code, nowhere.code], [64, 73])
    assert.deepEqual(readdirSync(folder), ['pets.backup'])
  },
)

it('backup --last, backup --release: mark the store and take the mark away; what does not fit them is refused', async (t) => {
  const { env, folder, path } = await aBackedUpStore(t)
  const file = join(folder, 'last.backup')
  for (const [args, sentence] of [
    [['backup', file, '--last', '--check'], /^--check reads a backup; --keep, --last and /],
    [['backup', file, '--release'], /^--release makes no backup: it takes no FILE, /],
    [['backup', '--release', '--last'], /^--release makes no backup: /],
  ] as const) {
    const { code, stderr } = await petstoreInThread(args, { env })
    assert.equal(code, 64)
    assert.match(stderr, sentence)
  }

  const left = await backup(env, file, '--last')
  const refused = await petstoreInThread(['seed', '--count', '1'], { env })
  const released = await backup(env, '--release')

  assert.deepEqual([left.code, refused.code, released.code], [0, 78, 0])
  assert.deepEqual(released.report, { released: path, backup: file })
  assert.equal((await petstoreInThread(['verify', '--repair', '--yes'], { env })).code, 0)
})

itInFull('65 damaged: a store whose file is damaged gives no backup', async (t) => {
  const { env, folder, path } = await aBackedUpStore(t)
  change(path, [
    'pragma writable_schema = on',
    `update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'orders_pet')
      where name = 'pets_category'`,
  ])

  const { code, stdout } = await petstoreInThread(['backup', join(folder, 'new.backup')], { env })

  assert.deepEqual([code, stdout], [65, ''])
  assert.deepEqual(readdirSync(folder), ['pets.backup'])
})

itInFull('78 configuration: a backup is not served as a store', async (t) => {
  const { file } = await aBackedUpStore(t)
  const directory = aDirectory(t)
  copyFileSync(file, join(directory, 'petstore.db'))

  await expectRefusal(directory, {
    reason: 'configuration',
    message:
      /petstore\.db is a backup, which is not served\. Restore it into a store: petstore restore \S+petstore\.db$/,
  })
})
