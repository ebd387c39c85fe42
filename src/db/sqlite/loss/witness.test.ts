import assert from 'node:assert/strict'
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { serveStore } from '../../../../test/harness/crashed-store.ts'
import { storage } from '../../../app/storage.ts'
import { connect } from '../connection.ts'
import { writesOf } from '../serving/commit.ts'
import { identifyDatabase } from '../serving/served-files.ts'
import { openWriter } from '../serving/writer.ts'
import { selectStoreRow } from './store-row.ts'
import { openWitness, readWitness } from './witness.ts'

const newPet = { name: 'insertPets', input: { name: 'Rex', categoryId: 7n } }

/** A writer of a store of its own, without a service around it. */
async function startWriter(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-witness-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'petstore.db')
  await (await serveStore(path)).close()
  const open = () => openWriter({ files: identifyDatabase(path), state: 'open' }, writesOf(storage))
  return { path, open }
}

function commitsOf(path: string): bigint {
  const witness = readWitness(path)
  return witness.reduce((most, { commits }) => (commits > most ? commits : most), 0n)
}

it('the witness has a commit, with the ids that it assigned, before the commit is acknowledged', async (t) => {
  const { path, open } = await startWriter(t)
  const writer = open()
  t.after(() => writer.close())
  const reader = connect(path)
  t.after(() => reader.close())

  for (let pet = 1n; pet <= 3n; pet++) {
    const [result] = await writer.run([[newPet]])

    assert.ok(result && 'settled' in result)
    const stored = selectStoreRow(reader)
    assert.equal(commitsOf(path), stored?.commits)
    assert.equal(stored?.ids.pets, pet)
  }
})

it('the witness reads as it was written, whatever number follows another', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-witness-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const path = join(directory, 'petstore.db')
  writeFileSync(path, '')
  const writer = openWitness(path, assert.fail)
  const store = `store:${'0'.repeat(32)}`
  const numbers = [...Array(1_100).keys()].map((number) => number + 1)

  for (const commits of [...numbers, 7, 2 ** 53 - 1].map(BigInt)) {
    const row = { store, commits, ids: { pets: commits < 1_000n ? commits / 10n : 0n } }
    writer.write(row)

    const written = readWitness(path).find((one) => one.commits === commits)
    assert.deepEqual(written, row)
  }
  writer.close()
})

it('a witness that became longer is read', async (t) => {
  const { path, open } = await startWriter(t)
  const writer = open()
  t.after(() => writer.close())
  await writer.run([[newPet]])
  const before = commitsOf(path)
  appendFileSync(`${path}.witness`, 'more')

  await writer.run([[newPet]])

  assert.equal(commitsOf(path), before + 1n)
})

it('a batch that changes nothing is no commit', async (t) => {
  const { path, open } = await startWriter(t)
  const writer = open()
  t.after(() => writer.close())
  await writer.run([[newPet]])
  const before = commitsOf(path)

  await writer.run([[{ name: 'insertEnvironment', input: 'nowhere' }]])

  assert.equal(commitsOf(path), before)
})

it('a commit is acknowledged, with one warning, where its witness cannot be written', async (t) => {
  const { path, open } = await startWriter(t)
  rmSync(`${path}.witness`, { force: true })
  symlinkSync('/nowhere/at all', `${path}.witness`)
  const writer = open()
  t.after(() => writer.close())

  const results = [...(await writer.run([[newPet]])), ...(await writer.run([[newPet]]))]

  const warnings = results.map((result) => ('warning' in result ? result.warning : 'none'))
  assert.match(warnings[0] ?? '', /petstore\.db cannot be written \(.*\)\. Changes are stored/)
  assert.equal(warnings[1], 'none')
})

it('nothing is acknowledged where the log was damaged before the database is opened again', async (t) => {
  const { path, open } = await startWriter(t)
  const writer = open()
  t.after(() => writer.close())
  for (let pet = 0; pet < 3; pet++) await writer.run([[newPet]])
  const damaged = join(path, '..', 'damaged.db')
  for (const ending of ['', '-wal', '.witness']) copyFileSync(path + ending, damaged + ending)
  writeFileSync(`${damaged}.lock`, '')
  truncateSync(`${damaged}-wal`, statSync(`${damaged}-wal`).size - 1)
  const again = openWriter({ files: identifyDatabase(damaged), state: 'closed' }, writesOf(storage))
  t.after(() => again.close())

  const [result] = await again.run([[newPet]])

  assert.ok(result && 'reason' in result)
  assert.equal(result.result, 'lost')
  assert.match(result.reason, /damaged\.db lacks commit \d+, which was acknowledged/)
})
