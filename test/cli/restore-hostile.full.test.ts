import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { encodeManifest, type Manifest } from '../../src/admin/backup/manifest.ts'
import { openManifest } from '../../src/admin/backup/open-backup.ts'
import { storage } from '../../src/app/storage.ts'
import { aBackedUpStore } from '../harness/backed-up-store.ts'
import { cases } from '../harness/extent.ts'
import { change, rowsIn } from '../harness/sqlite-file.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor } from '../processes/process.ts'

/** Gives a backup another manifest, with the right digest. */
function rewrite(file: string, edit: Partial<Manifest>) {
  const stored = encodeManifest({ ...openManifest(storage, file), ...edit })
  const quoted = stored.map((text) => `'${text.replaceAll("'", "''")}'`)
  change(file, [
    'delete from backup_manifest',
    `insert into backup_manifest values (${quoted.join(', ')})`,
  ])
}

/** Makes the root of the schema lead to one page twice. In twenty levels, reading such pages has no end. */
function forkSchema(file: string) {
  const bytes = readFileSync(file)
  const firstCell = bytes.readUInt16BE(112)
  bytes.copy(bytes, 108, firstCell, firstCell + 4)
  writeFileSync(file, bytes)
}

const edits: Record<string, [edit: (file: string) => void, sentence: RegExp]> = {
  'a trigger': [
    (file) =>
      change(file, [
        'create trigger theft after insert on orders begin update keys set revoked_at = null; end',
      ]),
    /: the trigger theft is foreign\. /,
  ],
  'a schema that leads to a page twice': [
    forkSchema,
    / is truncated or damaged: its schema cannot be read\. /,
  ],
  'a table in place of which there is a view without end': [
    (file) =>
      change(file, [
        'drop table orders',
        `create view orders as with recursive n (id) as (select 1 union all select id + 1 from n)
          select id, id as pet_id, 1 as quantity, 'pending' as status, null as reference,
            0 as created_at, null as ship_date, null as expires_at from n`,
      ]),
    /: the view orders is foreign; the table orders is missing; /,
  ],
  'a manifest that is a view without end': [
    (file) =>
      change(file, [
        'drop table backup_manifest',
        `create view backup_manifest as with recursive n (manifest, sha256) as
          (select '{}', '1' union all select manifest, sha256 from n) select * from n`,
      ]),
    / its manifest is not the one that was written\. /,
  ],
  'a missing index': [
    (file) => change(file, ['drop index pets_status']),
    /: the index pets_status is missing\. /,
  ],
  'a table whose name clears a terminal': [
    (file) => change(file, ['create table "\u001b[2J" (a)']),
    /: the table \?\[2J is foreign\. /,
  ],
  'a program whose name clears a terminal': [
    (file) => rewrite(file, { program: '\u001b[2J' }),
    / its manifest is not the one that was written\. /,
  ],
  'a time that is none': [
    (file) => rewrite(file, { madeAt: '2026-02-31T00:00:00.000Z' }),
    / its manifest is not the one that was written\. /,
  ],
  'no tables': [
    (file) => rewrite(file, { digests: {} }),
    / its manifest is not the one that was written\. /,
  ],
  'a table that is a statement': [
    (file) => {
      const digests = openManifest(storage, file).digests
      rewrite(file, { digests: { ...digests, 'pets; drop table pets': digests.pets ?? '' } })
    },
    / its manifest is not the one that was written\. /,
  ],
  'the environment of another store': [
    (file) => change(file, [`update environment set name = 'staging'`]),
    / its manifest is not the one that was written\. /,
  ],
  'rows that another migration would have made': [
    (file) => change(file, [`delete from migrations where name like '0011%'`]),
    / its manifest is not the one that was written\. /,
  ],
  'a last id that is a text': [
    (file) => change(file, [`update sqlite_sequence set seq = 'x' where name = 'pets'`]),
    /The last id of pets is none/,
  ],
}

it('65 damaged: backup --check and restore refuse a backup with', async (t) => {
  const { file, folder } = await aBackedUpStore(t)
  const all = Object.entries(edits)
  for (const [what, [edit, sentence]] of cases(all, { quickEvery: 5 })) {
    await t.test(what, async (t) => {
      const copy = join(folder, 'edited.backup')
      copyFileSync(file, copy)
      edit(copy)
      const directory = aDirectory(t)
      const env = settingsFor(directory)

      const checked = await petstoreInThread(['backup', '--check', copy])
      const restored = await petstoreInThread(['restore', copy], { env })

      for (const { code, stdout, stderr } of [checked, restored]) {
        assert.deepEqual([code, stdout], [65, ''], stderr)
        assert.match(stderr, sentence)
        assert.doesNotMatch(stderr, /\u001b/)
      }
      assert.equal(existsSync(join(directory, 'petstore.db')), false)
    })
  }
})

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

it('backup: holds what the migrations made of a store, with every index', async (t) => {
  const { env, folder, path } = await aBackedUpStore(t)
  change(path, [
    'create table notes (text)',
    'create view names as select name from pets',
    'drop index orders_status',
  ])
  const file = join(folder, 'conformed.backup')

  const made = await petstoreInThread(['backup', file], { env })
  const checked = await petstoreInThread(['backup', '--check', file])

  assert.deepEqual([made.code, checked.code], [0, 0], made.stderr)
  assert.deepEqual(
    rowsIn(
      file,
      "select name from sqlite_schema where name in ('notes', 'names', 'orders_status')",
    ),
    ['orders_status'],
  )
})
