import assert from 'node:assert/strict'
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it, type TestContext } from 'node:test'
import { enterDatabase } from '../../src/db/sqlite/locking/lock.ts'
import { createEmptyStore } from '../harness/empty-store.ts'
import { itInFull } from '../harness/extent.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

type Finding = { check: string; level: 'ok' | 'warning' | 'error'; message: string }
type Report = { ok: boolean; errors: number; groups: { name: string; findings: Finding[] }[] }
type Env = Record<string, string>

/** A staging store in a file, with one key. */
async function aStore(t: TestContext) {
  const directory = aDirectory(t)
  const path = join(directory, 'pets.db')
  const env = {
    PETSTORE_ENVIRONMENT: 'staging',
    PETSTORE_DATABASE: `sqlite:${path}`,
    PETSTORE_FIRST_KEY_FILE: join(directory, 'first-key'),
  }
  await createEmptyStore(env.PETSTORE_DATABASE, 'staging')
  const { code, stderr } = await petstoreInThread(['keys', 'create', '--name', 'a'], { env })
  assert.equal(code, 0, stderr)
  return { directory, path, env }
}

/** The findings of `doctor --json`, without those about this machine's disk. */
async function examine(env: Env) {
  const { code, stdout, stderr } = await petstoreInThread(['doctor', '--json'], { env })
  assert.match(stdout, /^\{.*\}\n$/, stderr)
  assert.equal(stderr, '')
  const report = JSON.parse(stdout) as Report
  assert.equal(code, report.errors > 0 ? 79 : 0)
  assert.equal(report.ok, report.errors === 0)
  const others = report.groups.filter(({ name }) => name !== 'disk')
  const findings = others.flatMap(({ findings }) => findings)
  return { stdout, report, faults: findings.filter(({ level }) => level !== 'ok'), findings }
}

function sentenceOf(findings: readonly Finding[], check: string): string {
  return findings.find((finding) => finding.check === check)?.message ?? `no ${check}`
}

/** Names, times and bytes of all files. */
function filesIn(directory: string) {
  return readdirSync(directory)
    .sort()
    .map((name) => {
      const path = join(directory, name)
      return [name, statSync(path).mtimeMs, readFileSync(path, 'base64')]
    })
}

it('doctor --json: examines a store in a file, finds no fault, and changes nothing', async (t) => {
  const { env, directory, path } = await aStore(t)
  const before = filesIn(directory)

  const { faults, findings, report } = await examine(env)

  assert.deepEqual(faults, [])
  assert.deepEqual(
    report.groups.map(({ name }) => name),
    ['program', 'settings', 'disk', 'store', 'backup'],
  )
  const [disk] = report.groups.filter(({ name }) => name === 'disk')
  assert.match(sentenceOf(disk?.findings ?? [], 'freeSpace'), / are free in /)
  assert.equal(sentenceOf(findings, 'store'), `${path} is a store of this version.`)
  assert.equal(sentenceOf(findings, 'keys'), 'Of 1 keys 1 are valid.')
  assert.equal(sentenceOf(findings, 'service'), 'No service runs on it.')
  assert.deepEqual(filesIn(directory), before)
})

it('doctor: the last backup is there with its size, cannot be read, or is missing', async (t) => {
  const { env, directory } = await aStore(t)
  const file = join(directory, 'pets.backup')
  await petstoreInThread(['backup', file], { env })

  const whole = await examine(env)
  truncateSync(file, 4096)
  const cut = await examine(env)
  rmSync(file)
  const missing = await examine(env)

  assert.match(sentenceOf(whole.findings, 'lastBackup'), /old: \S+pets\.backup, [\d.]+ KB\.$/)
  assert.match(sentenceOf(cut.faults, 'lastBackup'), /: \S+pets\.backup\. It cannot be used: /)
  assert.match(sentenceOf(missing.faults, 'lastBackup'), /That file is not on this machine\. /)
})

itInFull('doctor: prints groups and sentences for people, in lines of 80 columns', async (t) => {
  const { env } = await aStore(t)

  const { stdout } = await petstoreInThread(['doctor'], { env })

  assert.match(stdout, /^Program\n {2}ok {7}petstore [\s\S]*\nStore\n {2}ok /)
  assert.match(stdout, /\n\n(?:Nothing is wrong|\d+ errors?, \d+ warnings?)\.\n$/)
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line)
})

itInFull('doctor: says which process serves the store', async (t) => {
  const { env, path } = await aStore(t)
  const lock = enterDatabase(path, 'serve')
  t.after(() => lock[Symbol.dispose]())

  const { findings } = await examine(env)

  const service = sentenceOf(findings, 'service')
  // Which one it is depends on the file system.
  const known = [process.pid, undefined].map((pid) => (pid ? `process ${pid}` : 'another process'))
  assert.ok(
    known.some((who) => service === `A service runs on it: ${who}.`),
    service,
  )
})

it('doctor: reads the log that a killed process left, and leaves it as it is', async (t) => {
  const { env, path } = await aStore(t)
  const database = new DatabaseSync(path)
  t.after(() => database.close())
  database.exec('update keys set revoked_at = 1')
  const killed = join(aDirectory(t), 'killed.db')
  for (const ending of ['', '-wal', '-shm']) copyFileSync(path + ending, killed + ending)
  const directory = join(killed, '..')
  const before = filesIn(directory)

  const { faults } = await examine({ ...env, PETSTORE_DATABASE: `sqlite:${killed}` })

  assert.deepEqual(faults.map(({ check }) => check).sort(), ['keys', 'log'])
  assert.match(sentenceOf(faults, 'log'), /did not stop cleanly, and a log of \S+ KB is left/)
  assert.match(sentenceOf(faults, 'keys'), /^No key is valid/)
  assert.deepEqual(filesIn(directory), before)
})

itInFull('doctor: there is no store; nothing is created', async (t) => {
  const { env, directory, path } = await aStore(t)
  const before = filesIn(directory)

  const { faults } = await examine({ ...env, PETSTORE_DATABASE: `sqlite:${path}x` })

  assert.equal(faults.length, 1)
  assert.match(
    sentenceOf(faults, 'store'),
    /no store at \S+pets\.dbx; a start creates a new, empty one\. Check/,
  )
  assert.deepEqual(filesIn(directory), before)
})

it('79 finding: doctor reports a store that cannot be served, and why', async (t) => {
  const { env, directory, path } = await aStore(t)
  const storeWith = (name: string, change: string) => {
    const copy = join(directory, name)
    copyFileSync(path, copy)
    const database = new DatabaseSync(copy)
    database.exec(change)
    database.close()
    return copy
  }
  writeFileSync(join(directory, 'broken.db'), 'SQLite format 3, or so. '.repeat(200))
  mkdirSync(join(directory, 'folder.db'))
  writeFileSync(join(directory, 'gone.db-wal'), 'log')
  const linked = storeWith('linked.db', '')
  linkSync(linked, `${linked}.link`)
  const cases: [file: string, sentence: RegExp][] = [
    [
      join(directory, 'broken.db'),
      /is damaged or is not a SQLite database: .* if it names the right file, restore/,
    ],
    [join(directory, 'folder.db'), /folder\.db is not a file\. Correct PETSTORE_DATABASE; /],
    [linked, /linked\.db is one of 2 names \(hard links\)/],
    [join(directory, 'gone.db'), /is missing or empty, but its log \S+ is there/],
    [join(directory, 'no/pets.db'), /^The directory \S+ of the database does not exist\. Mount/],
    [
      storeWith('newer.db', "insert into migrations values ('9999_new')"),
      /made by a newer version of this program \(9999_new\)\. .* run that version/,
    ],
    [storeWith('lacking.db', 'drop table orders'), /lacks the table orders\. .* restore a backup/],
    [
      storeWith('foreign.db', 'pragma application_id = 7'),
      /of another program\. .* Correct PETSTORE_DATABASE; /,
    ],
    [
      storeWith('theirs.db', "update environment set name = 'production'"),
      /holds the data of production, and this is staging/,
    ],
  ]
  for (const [file, sentence] of cases) {
    const { faults, report } = await examine({ ...env, PETSTORE_DATABASE: `sqlite:${file}` })
    assert.equal(report.ok, false, file)
    const sentences = faults.filter(({ level }) => level === 'error').map(({ message }) => message)
    assert.ok(
      sentences.some((message) => sentence.test(message)),
      `${file}: ${sentences.join('\n')}`,
    )
  }
})

it('79 finding: doctor reports settings that are invalid', async (t) => {
  const { env } = await aStore(t)

  const invalid = await examine({ ...env, PETSTORE_PORT: 'x', PETSTORE_LOG_LEVEL: 'y' })

  assert.deepEqual(
    invalid.faults.map(({ level, message }) => [level, message.split(' ', 1)[0]]),
    [
      ['error', 'PETSTORE_PORT'],
      ['error', 'PETSTORE_LOG_LEVEL'],
    ],
  )
})

it('79 finding: doctor reports a PostgreSQL server that is down, without its password', async () => {
  const password = 'a-secret-of-nobody'
  const { faults, stdout } = await examine({
    PETSTORE_DATABASE: `postgres://me:${password}@127.0.0.1:1,127.0.0.1:2/petstore`,
  })

  assert.deepEqual(
    faults.map(({ check, level }) => [check, level]),
    [
      ['hosts', 'error'],
      ['hosts', 'error'],
      ['primary', 'error'],
    ],
  )
  assert.match(sentenceOf(faults, 'hosts'), /^127\.0\.0\.1:1 .*ECONNREFUSED.* Start the server/)
  assert.ok(!stdout.includes(password))
})
