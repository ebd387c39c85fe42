import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { it } from 'node:test'
import { aBackedUpStore, backup } from '../harness/backed-up-store.ts'
import { change, rowsIn } from '../harness/sqlite-file.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

const dated = /^production-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/

it('backup --keep: a folder gets a file with the time in its name; the oldest are deleted, and what a killed run left', async (t) => {
  const { env, file, folder } = await aBackedUpStore(t)
  const nameAt = (time: string, start = 'production') => `${start}-${time}.backup`
  const old = ['2020-01-01T00-00-00Z', '2021-01-01T00-00-00Z', '2022-01-01T00-00-00Z'].map((time) =>
    nameAt(time),
  )
  for (const name of old) copyFileSync(file, join(folder, name))
  const others = [nameAt('2019-01-01T00-00-00Z'), nameAt('2019-01-01T00-00-00Z', 'staging')]
  for (const name of others) writeFileSync(join(folder, name), 'not a backup of production')
  const [left, ofAnother] = [2 ** 31 - 1, process.ppid].map(
    (pid) => `${nameAt('2022-01-01T00-00-00Z')}.unfinished-${pid}`,
  ) as [string, string]
  for (const name of [left, ofAnother]) writeFileSync(join(folder, name), '')

  const { code, report } = await backup(env, folder, '--keep', '2')

  assert.equal(code, 0)
  assert.match(basename(report.file), dated)
  assert.deepEqual(report.deleted, [join(folder, old[0] ?? ''), join(folder, old[1] ?? '')])
  const kept = [...others, old[2], ofAnother, 'pets.backup', basename(report.file)]
  assert.deepEqual(readdirSync(folder).sort(), kept.sort())
})

it('backup --keep: a clock that was ahead; the new file is kept, those of the future are reported and left', async (t) => {
  const { env, file, folder, path } = await aBackedUpStore(t)
  change(path, ['update last_backup set made_at = made_at + 1000000000000'])
  const [past, ...future] = ['2020-01-01', '2999-01-01', '2999-01-02'].map(
    (day) => `production-${day}T00-00-00Z.backup`,
  ) as [string, string, string]
  for (const name of [past, ...future]) copyFileSync(file, join(folder, name))

  const { code, report } = await backup(env, folder, '--keep', '1')

  assert.equal(code, 0)
  assert.deepEqual(report.deleted, [join(folder, past)])
  assert.deepEqual(
    report.future,
    future.map((name) => join(folder, name)),
  )
  const left = ['pets.backup', basename(report.file), ...future]
  assert.deepEqual(readdirSync(folder).sort(), left.sort())
  assert.deepEqual(rowsIn(path, 'select file from last_backup'), [report.file])
})

it('79 finding: a store with a finding is backed up as it is, and no older backup is deleted', async (t) => {
  const { env, file, folder, path } = await aBackedUpStore(t)
  const old = join(folder, 'production-2020-01-01T00-00-00Z.backup')
  renameSync(file, old)
  change(path, [`update pets set name = cast(x'ff41' as text) where id = 2`])

  const { code, stderr } = await petstoreInThread(['backup', folder, '--keep', '1'], { env })

  assert.equal(code, 79)
  assert.match(
    stderr,
    / The store has \d findings, and so has the backup: see petstore verify\.\n$/,
  )
  assert.ok(existsSync(old))
  assert.equal(readdirSync(folder).length, 2)
})
