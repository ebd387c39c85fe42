import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { declared } from '../../src/app/declared.ts'
import { isFull, itInFull } from '../harness/extent.ts'
import { expectRefusal, makeStore } from '../harness/refusal.ts'
import { serveHere } from '../harness/serve-here.ts'
import { aDirectory, ask, petstore } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { pretendNode } from '../processes/launch-fixture.ts'
import { patchedCopy } from '../processes/patched-copy.ts'
import { launchService, settingsFor, startService } from '../processes/process.ts'

/** Root may read and write everything, so the test runs the command as another user. */
const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'env']
const becoming = spawnSync('setpriv', [...asNobody.slice(1), process.execPath, '--version'])
const canBecomeNobody = { skip: becoming.status === 0 ? false : 'needs root and setpriv' }

/** The full extent shows that a process ends with the same code. */
const run = isFull ? petstore : petstoreInThread

const node22 = { node: '22.16.0', sqlite: '3.49.1' }
const settingsOn = (t: TestContext, versions: Parameters<typeof pretendNode>[0]) => {
  const code = encodeURIComponent(pretendNode(versions))
  return { ...settingsFor(aDirectory(t)), NODE_OPTIONS: `--import=data:text/javascript,${code}` }
}

it('80 nodeTooOld: an older Node serves no store on disk', async (t) => {
  const { code, stdout, stderr } = await petstore(['serve'], { env: settingsOn(t, node22) })

  assert.deepEqual([code, stdout], [80, ''])
  assert.match(stderr, /^Node 22\.16\.0 with SQLite 3\.49\.1 serves .*: install Node 26, .*\.\n$/)
})

itInFull(
  '80 nodeTooOld: an older Node serves stores in memory, one older still nothing',
  async (t) => {
    const env = settingsOn(t, node22)
    const overHttp = await petstore(['profiles'], { env: { ...env, XDG_CONFIG_HOME: '/nowhere' } })
    const args = ['serve', '--ephemeral', '--json', '--port', '0']
    const inMemory = await startService({ args, env })
    const older = [{ node: '23.11.0', sqlite: '3.49.1' }, { node: '20.10.0' }]
    const refused = await Promise.all(
      older.map((one) => petstore(['-v'], { env: settingsOn(t, one) })),
    )

    assert.deepEqual([overHttp.code, (await inMemory.stop()).code], [0, 0], overHttp.stderr)
    for (const { code, stdout, stderr } of refused) {
      assert.deepEqual([code, stdout], [80, ''])
      assert.match(stderr, /^Node 2[03]\.\d+\.0 cannot run the pet store: install Node 26\. .*\n$/)
    }
  },
)

it('73 missingDirectory: a configured directory is not created', async (t) => {
  await expectRefusal(aDirectory(t), {
    reason: 'missingDirectory',
    database: 'no/such/petstore.db',
    message:
      /^The directory \S+ of the database \S+ does not exist\. Create it, or set PETSTORE_DATABASE to another path\.$/,
  })
})

it('73 missingDirectory: a file is in the place of the directory', async (t) => {
  const directory = aDirectory(t)
  writeFileSync(join(directory, 'file'), '')
  await expectRefusal(directory, {
    reason: 'missingDirectory',
    database: 'file/petstore.db',
    message: /is not a directory, so .* cannot be in it\.$/,
  })
})

itInFull('77 noPermission: a directory of another user', canBecomeNobody, async (t) => {
  const directory = aDirectory(t)
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'theirs'), { mode: 0o755 })
  await expectRefusal(directory, {
    reason: 'noPermission',
    database: 'theirs/petstore.db',
    names: 'theirs',
    message: /^The directory .* cannot be read and written by this user: EACCES/,
    process: asNobody,
  })
})

it('77 noPermission: the thread that writes cannot open the store, be it new or not', async (t) => {
  const [env, other] = [settingsFor(aDirectory(t)), settingsFor(aDirectory(t))]
  await (await serveHere(env)).stop()
  const failing = "data:text/javascript,throw Object.assign(new Error('no'), { errcode: 14 })"
  t.mock.property(declared, 'storageUrl', failing)
  const refused = { reason: 'noPermission', message: /petstore\.db cannot be written: no\.$/ }
  for (const settings of [env, other]) await assert.rejects(serveHere(settings), refused)
})

it('69 addressInUse: another process listens on the port', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  t.after(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const env = {
    ...settingsFor(aDirectory(t)),
    PETSTORE_PORT: String(port),
    PETSTORE_ENVIRONMENT: 'staging',
  }

  const { code, stdout, stderr } = await run(['serve', '--json'], { env })

  assert.deepEqual([code, stdout], [69, ''])
  assert.equal(
    stderr,
    `Port ${port} of 127.0.0.1 is in use. Choose another with --port or PETSTORE_PORT.\n`,
  )
})

itInFull('75 alreadyServed: one process at a time serves a file, by whatever path', async (t) => {
  const directory = aDirectory(t)
  const env = settingsFor(directory)
  await using first = await startService({ env })
  symlinkSync(join(directory, 'petstore.db'), join(directory, 'link.db'))
  symlinkSync(directory, join(directory, 'self'))

  for (const name of ['petstore.db', 'link.db', 'self/petstore.db']) {
    const second = await run(['serve', '--json'], {
      env: { ...env, PETSTORE_DATABASE: `sqlite:${join(directory, name)}` },
    })
    assert.deepEqual([second.code, second.stdout], [75, ''])
    assert.match(second.stderr, /petstore\.db is in use by another process\. /)
    assert.match(second.stderr, / --environment staging .* --ephemeral --port 0\.\n$/)
    assert.ok(second.stderr.startsWith(directory))
  }
  assert.equal((await ask(`${first.baseUrl}/pets`, first.key)).status, 200)

  // The operating system drops the lock with its process, however that ends.
  await first.kill()
  await using next = await startService({ env })
  assert.equal((await ask(`${next.baseUrl}/pets`, first.key)).status, 200)
})

it('78 configuration: the host is not an address of this machine', async (t) => {
  const env = {
    ...settingsFor(aDirectory(t)),
    PETSTORE_HOST: '192.0.2.1',
    PETSTORE_ENVIRONMENT: 'staging',
  }

  const { code, stdout, stderr } = await petstoreInThread(['serve', '--json'], { env })

  assert.deepEqual([code, stdout], [78, ''])
  assert.equal(stderr, 'PETSTORE_HOST is 192.0.2.1, which is not an address of this machine.\n')
})

itInFull('74 ioError: the disk refuses a write', async (t) => {
  const directory = aDirectory(t)
  const path = await makeStore(directory)
  const bytes = readFileSync(path, 'base64')

  const { code, stdout, stderr } = await petstore(['serve', '--json'], {
    env: settingsFor(directory),
    wrapper: ['sh', '-c', 'ulimit -f 0; exec "$0" "$@"'],
  })

  assert.deepEqual([code, stdout], [74, ''], stderr)
  assert.ok(stderr.startsWith(path) && stderr.trimEnd().split('\n').length === 1, stderr)
  assert.equal(readFileSync(path, 'base64'), bytes)
})

itInFull('70 unexpected: a defect of the program ends it with a stack trace', async () => {
  using copy = patchedCopy({
    folder: 'src/cli',
    find: /describeConfig\(config\)/,
    replaceBy: 'undefined.defect',
  })

  const { code, stdout, stderr } = await launchService({ root: copy.root, args: ['config'] }).exited

  assert.deepEqual([code, stdout], [70, ''])
  assert.match(stderr, /^TypeError: .*defect[\s\S]*\n +at /)
})
