import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { encodeManifest } from '../../src/admin/backup/manifest.ts'
import { openManifest } from '../../src/admin/backup/open-backup.ts'
import { storage } from '../../src/app/storage.ts'
import { aBackedUpStore } from '../harness/backed-up-store.ts'
import { cases } from '../harness/extent.ts'
import { change, quoted, rowsIn } from '../harness/sqlite-file.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor } from '../processes/process.ts'

/** Changes a byte of a name wherever it stands in the file, which no statement can do. */
function damageByte(file: string) {
  const bytes = readFileSync(file)
  const [name = ''] = rowsIn(file, 'select name from pets where id = 7')
  for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at)) {
    bytes[at] = (bytes[at] as number) ^ 1
  }
  writeFileSync(file, bytes)
}

/** A manifest with the right digest of its own, that names another table, and moves the cursor of a terminal. */
function forgeManifest(file: string) {
  const original = openManifest(storage, file)
  const stored = encodeManifest({
    ...original,
    program: '\u001b[2J',
    digests: { ...original.digests, 'pets; drop table pets': original.digests.pets ?? '' },
  })
  change(file, [
    'delete from backup_manifest',
    `insert into backup_manifest values (${stored.map((text) => quoted(text)).join(', ')})`,
  ])
}

const edits: Record<string, [edit: (file: string) => void, sentence: RegExp]> = {
  'a damaged byte': [damageByte, /: the rows of .*\bpets are not those that were backed up\. /],
  'a view without end in place of a table': [
    (file) =>
      change(file, [
        'drop table orders',
        `create view orders as with recursive n (id) as (select 1 union all select id + 1 from n)
          select id, id as pet_id, 1 as quantity, 'pending' as status from n`,
      ]),
    / is damaged: it has no table orders\. /,
  ],
  'a hostile manifest': [forgeManifest, / its manifest is not the one that was written\. /],
}

for (const [what, [edit, sentence]] of cases(Object.entries(edits), { quickEvery: 2 })) {
  it(`65 damaged: backup --check and restore refuse a backup with ${what}`, async (t) => {
    const { file } = await aBackedUpStore(t)
    edit(file)
    const directory = aDirectory(t)
    const env = settingsFor(directory)

    const checked = await petstoreInThread(['backup', '--check', file])
    const restored = await petstoreInThread(['restore', file], { env })

    for (const { code, stdout, stderr } of [checked, restored]) {
      assert.deepEqual([code, stdout], [65, ''], stderr)
      assert.match(stderr, sentence)
      assert.doesNotMatch(stderr, /\u001b/)
    }
    assert.equal(existsSync(join(directory, 'petstore.db')), false)
  })
}

it('restore: what a row derives is derived anew, and of the file of the backup nothing is kept but rows', async (t) => {
  const { file, path } = await aBackedUpStore(t)
  // A bit of a stored JSON text, which no digest covers.
  change(file, [
    'pragma writable_schema = on',
    `update sqlite_schema set sql = replace(sql, '"name":"', '"jame":"') where name = 'pets'`,
  ])
  const sql = rowsIn(path, "select sql from sqlite_schema where name = 'pets'")[0] ?? ''
  change(file, ['update pets set name = name where id = 7'])
  change(file, [
    'pragma writable_schema = on',
    `update sqlite_schema set sql = '${sql.replaceAll("'", "''")}' where name = 'pets'`,
  ])
  assert.match(rowsIn(file, 'select record from pets where id = 7')[0] ?? '', /"jame"/)
  const env = settingsFor(aDirectory(t))
  const checked = await petstoreInThread(['backup', '--check', file])

  const { code, stderr } = await petstoreInThread(['restore', file], { env })

  assert.equal(checked.code, 79)
  assert.equal(code, 0, stderr)
  const restored = (env.PETSTORE_DATABASE ?? '').replace('sqlite:', '')
  assert.match(rowsIn(restored, 'select record from pets where id = 7')[0] ?? '', /"name"/)
})

it('restore: of a backup with more than rows, such as a trigger, the rows are taken alone', async (t) => {
  const { file } = await aBackedUpStore(t)
  change(file, [
    'create table notes (text)',
    'create view names as select name from pets',
    'drop index orders_status',
    'create trigger theft after insert on orders begin update keys set revoked_at = null; end',
    'alter table pets add column stolen text',
  ])
  const env = settingsFor(aDirectory(t))
  const path = (env.PETSTORE_DATABASE ?? '').replace('sqlite:', '')

  const { code, stderr } = await petstoreInThread(['restore', file], { env })

  assert.equal(code, 0, stderr)
  const verified = await petstoreInThread(['verify'], { env })
  assert.equal(verified.code, 0, verified.stdout)
  const others = "select name from sqlite_schema where name in ('notes', 'names', 'theft')"
  assert.deepEqual(rowsIn(path, others), [])
})

it('65 damaged: a backup whose table lacks a column is refused, and a store with such a table gives none', async (t) => {
  const { env, file, folder, path } = await aBackedUpStore(t)
  for (const one of [file, path])
    change(one, ['alter table orders rename column reference to other'])
  const place = settingsFor(aDirectory(t))

  const restored = await petstoreInThread(['restore', file], { env: place })
  const made = await petstoreInThread(['backup', join(folder, 'new.backup')], { env })

  assert.deepEqual([restored.code, made.code], [65, 65], restored.stderr + made.stderr)
  assert.match(restored.stderr, /cannot be read: no such column: reference/)
  assert.match(made.stderr, /does not have the schema of a store: the table orders was changed\./)
})
