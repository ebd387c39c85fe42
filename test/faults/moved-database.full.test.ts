import assert from 'node:assert/strict'
import { linkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import {
  checkStore,
  firstAcknowledgement,
  sendCreate,
  sendCreates,
} from '../consistency/creates/creates.ts'
import { History } from '../consistency/creates/history.ts'
import { aDirectory, petstore } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { launchService, type Service, settingsFor, startService } from '../processes/process.ts'

const skip = process.platform === 'win32' ? 'Windows moves no file that is open' : false

it('74: a service whose database is moved away is not ready, and exits; the moved files hold all that was acknowledged', {
  skip,
}, async (t) => {
  const { path, elsewhere, env } = places(t)
  await using service = await startService({ env })
  const history = new History()
  const stopping = new AbortController()
  const load = sendCreates(service, history, { connections: 4, signal: stopping.signal })
  await firstAcknowledgement(history)

  renameSync(path, elsewhere)
  const ready = await readiness(service)
  const exit = await service.exited
  stopping.abort()
  await load

  assert.notEqual(ready, 200)
  assert.equal(exit.code, 74, exit.stderr)
  assert.match(exit.stderr, /petstore\.db was moved away or deleted while this process served it\./)
  assert.match(exit.stderr, /"msg":"The store has failed; the process exits\."/)
  const { code, stderr } = await petstoreInThread(['serve'], { env })
  assert.equal(code, 65, stderr)
  assert.match(stderr, /petstore\.db is missing or empty, but its log \S+-wal is there: .* Put it/)
  await using again = await startService({
    env: { ...env, PETSTORE_DATABASE: `sqlite:${elsewhere}` },
  })
  await checkStore({ ...again, key: service.key }, history)
})

it('75, 78: a second process cannot serve the file by another name; a process whose lock file was replaced ends soon', {
  skip,
}, async (t) => {
  const { path, link, elsewhere, env } = places(t)
  await using service = await startService({ env })
  const history = new History()
  symlinkSync(path, link)
  linkSync(path, elsewhere)
  const codeOf = async (args: string[], database: string) => {
    const PETSTORE_DATABASE = `sqlite:${database}`
    const { code, stderr } = await petstoreInThread(args, { env: { ...env, PETSTORE_DATABASE } })
    if (code === 78) assert.match(stderr, /is one of 2 names \(hard links\) of the same file/)
    return code
  }

  const byHardLink = await Promise.all([
    codeOf(['serve'], elsewhere),
    codeOf(['serve'], link),
    codeOf(['keys', 'create', '--name', 'a'], elsewhere),
    codeOf(['verify'], elsewhere),
  ])
  rmSync(elsewhere)
  const bySymbolicLink = await codeOf(['serve'], link)
  for (let n = 0; n < 10; n++) await sendCreate(service, history)
  // A service that is stopped cannot notice that its lock is gone.
  process.kill(service.pid, 'SIGSTOP')
  rmSync(`${path}.lock`)
  const beside = await petstore(['serve', '--json'], { env })
  process.kill(service.pid, 'SIGCONT')
  rmSync(`${path}.lock`)
  await using second = launchService({ env })

  assert.deepEqual(byHardLink, [78, 78, 78, 78])
  assert.equal(bySymbolicLink, 75)
  assert.equal(beside.code, 75, beside.stderr)
  // The second process replaced the lock; the first notices that its lock is gone, and ends before the second serves.
  const next = await second.ready
  await assert.rejects(fetch(new URL('/health/live', service.baseUrl)))
  const { code, stderr } = await service.exited
  assert.equal(code, 74, stderr)
  assert.match(
    stderr,
    /petstore\.db\.lock was (?:moved away or deleted|replaced) while this process/,
  )
  assert.equal(history.count('acknowledged'), 10)
  await checkStore({ ...next, key: service.key }, history)
})

/** A store in its own directory, and two other paths to its database. */
function places(t: TestContext) {
  const home = aDirectory(t)
  const file = (name: string) => join(home, name)
  return {
    env: settingsFor(home),
    path: file('petstore.db'),
    link: file('link.db'),
    elsewhere: file('elsewhere.db'),
  }
}

/** The status of readiness, or 0 when nothing listens any more. */
async function readiness({ baseUrl }: Service): Promise<number> {
  const answer = await fetch(new URL('/health/ready', baseUrl)).catch(() => undefined)
  return answer?.status ?? 0
}
