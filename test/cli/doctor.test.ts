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
import { startApp } from '../harness/app.ts'
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
    ['settings', 'disk', 'records', 'store'],
  )
  const [disk] = report.groups.filter(({ name }) => name === 'disk')
  assert.match(sentenceOf(disk?.findings ?? [], 'freeSpace'), / are free in /)
  assert.equal(sentenceOf(findings, 'store'), `${path} can be served.`)
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

  assert.match(sentenceOf(whole.findings, 'lastBackup'), /is 0 hours old: \S+pets\.backup\.$/)
  assert.match(sentenceOf(cut.faults, 'lastBackup'), /: \S+pets\.backup\. It cannot be used: /)
  assert.match(sentenceOf(missing.faults, 'lastBackup'), /cannot be used: There is no file \S+\. M/)
})

itInFull('doctor: prints groups and sentences for people, in lines of 80 columns', async (t) => {
  const { env } = await aStore(t)

  const { stdout } = await petstoreInThread(['doctor'], { env })

  assert.match(stdout, /^Settings\n {2}ok {7}This process [\s\S]*\nStore\n {2}ok /)
  assert.match(stdout, /\n\n(?:Nothing is wrong|\d+ errors?, \d+ warnings?)\.\n$/)
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line)
})

it('doctor and verify: read the log that a killed process left, and leave it as it is', async (t) => {
  const { env, path } = await aStore(t)
  const database = new DatabaseSync(path)
  t.after(() => database.close())
  database.exec(
    "insert into environment values (1, 'production') on conflict do update set name = excluded.name",
  )
  const killed = join(aDirectory(t), 'killed.db')
  for (const ending of ['', '-wal', '.witness']) copyFileSync(path + ending, killed + ending)
  const contents = () => ['', '-wal'].map((ending) => readFileSync(killed + ending, 'base64'))
  const before = contents()

  const settings = { ...env, PETSTORE_DATABASE: `sqlite:${killed}` }
  const { faults } = await examine(settings)
  await petstoreInThread(['verify'], { env: settings })

  assert.match(sentenceOf(faults, 'store'), /holds the data of production/)
  assert.deepEqual(contents(), before)
})

it('start, verify and doctor: say that a copy of the file alone, made while it was served, may lack what its log had', async (t) => {
  const { env, path } = await aStore(t)
  const served = await startApp({ settings: env })
  await served.api.createPet({ name: 'Rex' })
  const copy = join(aDirectory(t), 'copy.db')
  copyFileSync(path, copy)
  await served.close()
  const settings = { ...env, PETSTORE_DATABASE: `sqlite:${copy}` }
  const sentence =
    /copy\.db has neither its log nor \S+\.witness: .* its log had is missing; petstore backup/

  const { faults } = await examine(settings)
  const verified = await petstoreInThread(['verify'], { env: settings })
  const { api, logLines, close } = await startApp({ settings })

  assert.match(sentenceOf(faults, 'store'), sentence)
  assert.match(verified.stderr, sentence)
  assert.match(logLines.join(''), sentence)
  assert.equal((await api.get('/v1/pets')).text, '[]')
  await api.createPet({ name: 'Max' })
  await close()
  const moved = await startApp({ settings: env })
  assert.doesNotMatch(moved.logLines.join(''), /has neither/)
})

itInFull('doctor: there is no store; nothing is created', async (t) => {
  const { env, directory, path } = await aStore(t)
  const before = filesIn(directory)

  const { faults } = await examine({ ...env, PETSTORE_DATABASE: `sqlite:${path}x` })

  assert.equal(faults.length, 1)
  assert.match(
    sentenceOf(faults, 'store'),
    /^There is no store at \S+pets\.dbx\. .* petstore serve/,
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
      /is damaged or is not a SQLite database: .* Nothing was changed/,
    ],
    [join(directory, 'folder.db'), /folder\.db is not a file\./],
    [linked, /linked\.db is one of 2 names \(hard links\)/],
    [join(directory, 'gone.db'), /is missing or empty, but its log \S+ is there/],
    [join(directory, 'no/pets.db'), /^There is no store at \S+no\/pets\.db\./],
    [
      storeWith('newer.db', "insert into migrations values ('9999_new')"),
      /made by a newer version of this program \(9999_new\)\. .* run that version/,
    ],
    [storeWith('lacking.db', 'drop table orders'), /lacks the table orders\. .* restore a backup/],
    [
      storeWith('rigged.db', 'create trigger theft after delete on pets begin select 1; end'),
      /the trigger theft is foreign\. .* undo these changes/,
    ],
    [
      storeWith(
        'older.db',
        'delete from migrations where name = (select max(name) from migrations)',
      ),
      /is not up to date with this program\. .* start the service once/,
    ],
    [storeWith('foreign.db', 'pragma application_id = 7'), /of another program\./],
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

itInFull(
  '79 finding: doctor reports a PostgreSQL server that is down, without its password',
  async () => {
    const password = 'a-secret-of-nobody'
    const { faults, stdout } = await examine({
      PETSTORE_DATABASE: `postgres://me:${password}@127.0.0.1:1,127.0.0.1:2/petstore`,
    })

    const problem = faults.map(({ message }) => message).join()
    assert.match(
      problem,
      /^No PostgreSQL server that accepts writes responds at .*:1: .*ECONNREFUSED/,
    )
    assert.ok(!stdout.includes(password))
  },
)
