import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkStore, sendCreate, sendCreates } from '../consistency/creates/creates.ts'
import { History } from '../consistency/creates/history.ts'
import { type Service, settingsFor, startService } from '../processes/process.ts'
import { fillDisk, inNamespace, smallDisk, withoutMounts } from '../processes/small-disk.ts'

const recoveryMaxMs = 60_000
const skip = withoutMounts()

const home = mkdtempSync(join(tmpdir(), 'petstore-full-disk-'))
after(() => rmSync(home, { recursive: true, force: true }))

it('a disk that fills: creates get 503, reads 200; once there is room, creates succeed without a restart', {
  skip,
}, async () => {
  const disk = join(home, 'disk')
  mkdirSync(disk)
  const env = { ...settingsFor(disk), PETSTORE_FIRST_KEY_FILE: join(home, 'first-key') }
  await using service = await startService({ env, wrapper: smallDisk(disk, 4) })
  const diskFromHere = join(`/proc/${service.pid}/root`, disk)
  const history = new History()
  for (let n = 0; n < 20; n++) await sendCreate(service, history)
  assert.equal(history.count('acknowledged'), 20)
  assert.equal(await statusOf(service, '/health/ready'), 200)

  // Under load, since disks fill while a service is used.
  const stopping = new AbortController()
  const load = sendCreates(service, history, { connections: 4, signal: stopping.signal })
  const filler = join(diskFromHere, 'filler')
  fillDisk(filler)
  await until(async () => (await sendCreate(service, history)).status === 503)
  stopping.abort()
  await load
  const acknowledged = history.count('acknowledged')

  for (let n = 0; n < 10; n++) {
    assert.equal((await sendCreate(service, history)).status, 503)
    assert.equal(await statusOf(service, '/v1/pets?limit=100'), 200)
    assert.equal(await statusOf(service, '/v1/pets?id=1'), 200)
  }
  assert.equal(history.count('acknowledged'), acknowledged)
  await until(async () => (await statusOf(service, '/health/ready')) === 503)
  assert.equal(await statusOf(service, '/health/live'), 200)
  await checkStore(service, history)

  rmSync(filler)
  await until(async () => (await sendCreate(service, history)).status === 201)
  await until(async () => (await statusOf(service, '/health/ready')) === 200)
  for (let n = 0; n < 10; n++) assert.equal((await sendCreate(service, history)).status, 201)
  const listed = await checkStore(service, history)
  assert.ok(history.count('acknowledged') > acknowledged)

  // The disk ends with its service, so a copy of the files is served next.
  const copy = join(home, 'copy')
  cpSync(diskFromHere, copy, { recursive: true })
  const stopped = await service.stop()
  assert.equal(stopped.code, 0, stopped.stderr)
  await using again = await startService({
    env: { ...settingsFor(copy), PETSTORE_FIRST_KEY_FILE: join(home, 'first-key') },
  })
  assert.deepEqual(await checkStore(again, history), listed)
})

it('a start on a full disk after a kill: reads get 200, creates 503; once there is room, creates succeed', {
  skip,
}, async () => {
  await using disk = await mountSmallDisk()
  const { directory, wrapper, fromHere } = disk
  const env = { ...settingsFor(directory), PETSTORE_FIRST_KEY_FILE: join(home, 'second-key') }
  const history = new History()
  const filler = join(fromHere, 'filler')
  const first = await startService({ env, wrapper })
  // Enough that the write-ahead log does not fit into the space left on the disk.
  const stopping = new AbortController()
  const load = sendCreates(first, history, { connections: 8, signal: stopping.signal })
  await until(async () => statSync(join(fromHere, 'petstore.db-wal')).size > 1_000_000)
  fillDisk(filler)
  stopping.abort()
  await load
  await first.kill()
  fillDisk(join(fromHere, 'filler again'))
  rmSync(join(fromHere, 'petstore.db-shm'))
  const acknowledged = history.count('acknowledged')

  await using again = await startService({ env, wrapper })
  for (let n = 0; n < 5; n++) {
    assert.equal((await sendCreate(again, history)).status, 503)
    assert.equal(await statusOf(again, '/v1/pets/1', staleChange), 503)
    assert.equal(await statusOf(again, '/v1/pets?limit=100'), 200)
  }
  await checkStore(again, history)
  assert.equal(await statusOf(again, '/health/ready'), 503)
  assert.equal(history.count('acknowledged'), acknowledged)

  rmSync(filler)
  await until(async () => (await sendCreate(again, history)).status === 201)
  assert.equal(await statusOf(again, '/health/ready'), 200)
  assert.equal(await statusOf(again, '/v1/pets/1', staleChange), 412)
  await checkStore(again, history)
  const { code, stderr } = await again.stop()
  assert.equal(code, 0, stderr)
  assert.match(stderr, /is served read-only: the disk is full/)
})

/** A disk of 4 MiB in a mount namespace that outlives the services on it. */
async function mountSmallDisk() {
  const directory = join(home, 'small')
  mkdirSync(directory)
  const mount = `mount -t tmpfs -o size=4m none '${directory}' && echo mounted && read -r _`
  const [command, ...args] = inNamespace
  const holder = spawn(command, [...args, mount], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return {
    directory,
    fromHere: join(`/proc/${holder.pid}/root`, directory),
    wrapper: [
      'nsenter',
      '--preserve-credentials',
      '--user',
      '--mount',
      '-t',
      `${holder.pid}`,
      '--',
    ],
    async [Symbol.asyncDispose]() {
      holder.stdin.end()
      if (holder.exitCode === null) await once(holder, 'exit')
    },
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + recoveryMaxMs
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not within ${recoveryMaxMs} ms: ${condition}`)
    await sleep(10)
  }
}

/** Gets 503 where no change is begun, else 412. */
const staleChange = { method: 'PATCH', body: '{"name":"Max"}', headers: { 'if-match': '"x"' } }

async function statusOf(
  { baseUrl, key }: Service,
  path: string,
  { headers, ...sent }: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<number> {
  const all = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers }
  const response = await fetch(new URL(path, baseUrl), { ...sent, headers: all })
  await response.arrayBuffer()
  return response.status
}
