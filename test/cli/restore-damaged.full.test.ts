import assert from 'node:assert/strict'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { it } from 'node:test'
import { openWitness } from '../../src/db/sqlite/loss/witness.ts'
import { aBackedUpStore, lastPetId } from '../harness/backed-up-store.ts'
import { crashStore } from '../harness/crashed-store.ts'
import { change, rowsIn } from '../harness/sqlite-file.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

type Env = Record<string, string>

/** Runs `restore --json`; returns what it printed. */
async function restore(env: Env, ...args: string[]) {
  const { code, stdout, stderr } = await petstoreInThread(['restore', '--json', ...args], { env })
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  return { code, report: JSON.parse(stdout) }
}

/** What the last process wrote that served a store whose database is lost. */
function writeWitness(path: string, ids: Record<string, bigint>) {
  const witness = openWitness(path, assert.fail)
  witness.write({ store: `store:${'0'.repeat(32)}`, commits: 7n, ids })
  witness.close()
}

it('restore --replace: ids that the log of a damaged store tells stay unused, and a million more', async (t) => {
  const { env, file, directory, path } = await aBackedUpStore(t)
  await crashStore(directory, { pets: lastPetId + 2 })
  const log = readFileSync(`${path}-wal`)
  log[9_000] = (log[9_000] as number) ^ 1
  writeFileSync(`${path}-wal`, log)

  const { code, stderr } = await petstoreInThread(['restore', file, '--replace'], { env })

  assert.equal(code, 0, stderr)
  assert.match(
    stderr,
    / It is not known which ids were assigned after the backup, so 1,000,000 of each table /,
  )
  assert.deepEqual(rowsIn(path, `select seq from sqlite_sequence where name = 'pets'`), [
    String(1_000_000 + lastPetId + 2),
  ])
})

const lostDatabases: Record<string, (path: string) => void> = {
  'was deleted': (path) => rmSync(path),
  'is no database any more': (path) => writeFileSync(path, 'what is left of a disk'),
  'has a damaged page': (path) => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xff, 100, 200))
  },
}

for (const [what, lose] of Object.entries(lostDatabases)) {
  it(`restore --replace: a store that ${what}; its witness tells the ids`, async (t) => {
    const { env, file, path } = await aBackedUpStore(t)
    writeWitness(path, { pets: 900n, keys: 5n })
    lose(path)

    const { code, report } = await restore(env, file, '--replace')
    const kept = readdirSync(dirname(path)).filter((name) => name.includes('.replaced-'))

    assert.deepEqual([code, report.lastIds.pets, report.lastIds.keys], [0, '1000900', '1000005'])
    assert.ok(report.kept.includes('.replaced-'))
    assert.ok(kept.some((name) => name.endsWith('.witness')))
    assert.equal((await petstoreInThread(['deprecations'], { env })).code, 0)
  })
}

it('restore: a copy of the file alone, or a store that was kept, does not tell all ids: a million more stay unused', async (t) => {
  const { env, file, path } = await aBackedUpStore(t)
  change(path, [`update sqlite_sequence set seq = 900 where name = 'orders'`])
  rmSync(`${path}.witness`)

  const replaced = await restore(env, file, '--replace')
  assert.equal(replaced.report.lastIds.orders, '1000900')

  rmSync(path)
  const again = await restore(env, file)
  assert.equal(again.report.lastIds.orders, '1000900')
})

it('restore --replace --skip-ids: a store that cannot be read; its files are kept', async (t) => {
  const { env, file, path } = await aBackedUpStore(t)
  writeFileSync(path, 'what is left of a disk')
  writeFileSync(`${path}-wal`, 'and of its log')

  const { code, report } = await restore(env, file, '--replace', '--skip-ids', '1000')

  assert.equal(code, 0)
  assert.equal(report.lastIds.pets, String(lastPetId + 1_000))
  assert.equal(report.lastIds.keys, '1002')
  assert.equal(readFileSync(`${report.kept}-wal`, 'utf8'), 'and of its log')
  assert.deepEqual(
    rowsIn(path, `select seq from sqlite_sequence where name in ('keys', 'pets') order by 1`),
    ['1002', String(lastPetId + 1_000)].sort((a, b) => Number(a) - Number(b)),
  )
})
