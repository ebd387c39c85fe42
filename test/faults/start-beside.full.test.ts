import assert from 'node:assert/strict'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { checkStore, sendCreate } from '../consistency/creates/creates.ts'
import { History } from '../consistency/creates/history.ts'
import { until } from '../harness/until.ts'
import { aDirectory, spawnCommand } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { settingsFor, startService } from '../processes/process.ts'

const skip = process.platform === 'win32' ? 'Windows moves no file that is open' : false

/** Another process with a long read of `path`, such as `verify` or a backup. */
async function startReader(t: TestContext, path: string) {
  const script = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('begin; select count(*) from sqlite_schema')
    console.log('reads')
    setInterval(() => {}, 1e9)`
  const reader = spawnCommand(t, [process.execPath, '-e', script, path])
  await reader.waitFor(/reads/)
  return reader
}

/** The store of a killed service: what it acknowledged is in the write-ahead log alone. */
async function killedStore(t: TestContext) {
  const directory = aDirectory(t)
  const env = settingsFor(directory)
  const history = new History()
  await using service = await startService({ env })
  for (let n = 0; n < 3; n++) await sendCreate(service, history)
  await service.kill()
  return { env, history, path: join(directory, 'petstore.db') }
}

// Each test mostly waits for its processes.
describe('a start beside another process', { concurrency: true }, () => {
  it('a start beside a long reader serves reads at once, and writes once the log can be checkpointed', {
    skip,
  }, async (t) => {
    const { env, history, path } = await killedStore(t)
    const reader = await startReader(t, path)

    await using service = await startService({ env })

    await checkStore(service, history)
    assert.equal((await sendCreate(service, history)).status, 503)
    await reader.stop('SIGKILL')
    await until(async () => (await sendCreate(service, history)).status === 201)
    await checkStore(service, history)
    const { code, stderr, stdout } = await service.stop()
    assert.equal(code, 0)
    assert.match(stdout + stderr, /is served read-only: another process reads it/)

    // This time the log was removed.
    await startReader(t, path)
    await using next = await startService({ env })
    assert.equal((await sendCreate(next, history)).status, 201)
  })

  it('75: refuses its first start at a place when another process has the file open by another name', {
    skip,
  }, async (t) => {
    const { env, path } = await killedStore(t)
    renameSync(path, `${path}.moved`)
    await startReader(t, `${path}.moved`)
    renameSync(`${path}.moved`, path)
    // As in another container, in which only the database is mounted.
    rmSync(`${path}.lock`)

    const { code, stderr } = await petstoreInThread(['serve', '--json'], { env })

    assert.ok(existsSync(`${path}-wal`) && existsSync(`${path}-shm`))
    assert.equal(code, 75)
    assert.match(stderr, /petstore\.db is in use by another process: database is locked\. /)
  })
})
