/**
 * npm run test:container -- [--folder DIRECTORY]
 * Builds the image of `Containerfile` with buildah, on a Debian of debootstrap, and runs it with runc: without root's
 * rights, on a read-only file system, with SQLite on the volume and with PostgreSQL.
 * Linux and root only. A folder that is named keeps the Debian for the next run. Exits with 1 where a promise does not hold.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ask, freePort } from '../processes/command.ts'
import { type Container, startContainer } from '../processes/container.ts'
import {
  buildImage,
  createBuildah,
  type ImageConfig,
  whyNotHere,
} from '../processes/container-image.ts'
import { startPostgres } from '../processes/postgres.ts'
import { requireConsole } from '../processes/served-console.ts'

/** Docker kills what has not stopped after this. */
const stopMaxMs = 10_000

const { values } = parseArgs({ options: { folder: { type: 'string' } } })
const reason = whyNotHere()
if (reason !== undefined) {
  console.log(`container: skipped. ${reason}`)
  process.exit()
}

const folder = values.folder ? resolve(values.folder) : mkdtempSync(join(tmpdir(), 'petstore-oci-'))
mkdirSync(folder, { recursive: true })
const buildah = createBuildah(folder)
try {
  const { image, config } = buildImage(folder)
  const container = buildah('from', '--pull-never', image)
  try {
    const root = buildah('mount', container)
    console.log(
      `image: ${sizeMiB(root, '.')} MiB, of which the program ${sizeMiB(root, 'petstore')}`,
    )
    await tryOnVolume(root, config)
    await tryOnPostgres(root, config)
  } finally {
    buildah('rm', container)
  }
} catch (error) {
  console.error('container: FAILED.', error)
  process.exitCode = 1
} finally {
  if (values.folder === undefined) rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function tryOnVolume(root: string, config: ImageConfig) {
  const volume = aVolume(config)
  const port = await freePort()
  const env = { PETSTORE_PORT: port }
  const first = startContainer(folder, { root, config, volume, env })
  const readyMs = await first.untilHealthy()
  console.log(`healthy after ${Math.round(readyMs)} ms, with SQLite on the volume`)
  checkConfinement(first)
  await requireConsole(`http://127.0.0.1:${port}`)
  console.log('serves the console, with the files that its page loads')
  assert.equal(first.checkHealth({ PETSTORE_PORT: '1' }).status, 1, 'the health check can fail')
  const key = readFileSync(join(volume, 'first-key'), 'utf8').trim()
  await createPet(port, key)
  await refuseSecond(root, config, volume)
  const issued = first.exec(['petstore', 'keys', 'create', '--name', 'shop'])
  assert.match(issued.stdout, /^pet_live_\w+\n$/, issued.stderr)
  await stop(first)

  const second = startContainer(folder, { root, config, volume, env })
  await second.untilHealthy()
  const pets = await ask(`http://127.0.0.1:${port}/v1/pets`, issued.stdout.trim())
  assert.equal(pets.text, '[{"id":1,"name":"Rex","categoryId":7}]')
  assert.equal(second.exec(['petstore', 'verify']).status, 0, 'the data is sound')
  await stop(second)
  console.log('the next container serves what the first one stored on the volume')
}

/** The volume is being served. */
async function refuseSecond(root: string, config: ImageConfig, volume: string) {
  const env = { PETSTORE_PORT: await freePort() }
  const container = startContainer(folder, { root, config, volume, env })
  assert.equal(await container.exited, 75, container.output())
  console.log('a second container on the same volume ends with exit code 75')
}

async function tryOnPostgres(root: string, config: ImageConfig) {
  const server = await startPostgres()
  try {
    const volume = aVolume(config)
    const port = await freePort()
    const env = { PETSTORE_PORT: port, PETSTORE_DATABASE: await server.createDatabase() }
    const container = startContainer(folder, { root, config, volume, env })
    const readyMs = await container.untilHealthy()
    await createPet(port, readFileSync(join(volume, 'first-key'), 'utf8').trim())
    console.log(`healthy after ${Math.round(readyMs)} ms, with PostgreSQL`)
    await stop(container)
  } finally {
    await server.stop()
  }
}

/** A folder that belongs to the image's user, as a new volume does. */
function aVolume({ User }: ImageConfig): string {
  const volume = mkdtempSync(join(folder, 'volume-'))
  const [uid = 0, gid = 0] = User.split(':').map(Number)
  chownSync(volume, uid, gid)
  return volume
}

function checkConfinement(container: Container) {
  const status = container.exec(['cat', '/proc/1/status']).stdout
  assert.match(status, /^Uid:\s+10001\s+10001\s+10001\s+10001$/m)
  assert.match(status, /^Gid:\s+10001\s+10001\s+10001\s+10001$/m)
  assert.match(status, /^CapEff:\s+0+$/m)
  for (const path of ['/file', '/petstore/src/file', '/tmp/file']) {
    const written = container.exec(['sh', '-c', `: > ${path}`])
    assert.match(written.stderr, /Read-only file system|Permission denied/, path)
  }
  const mounts = container.exec(['cat', '/proc/1/mounts']).stdout
  assert.match(mounts, /^\S+ \/ \S+ ro[, ]/m)
  assert.match(container.exec(['node', '--version']).stdout, /^v26\./)
  console.log('runs as user 10001 without capabilities, on a read-only file system, with Node 26')
}

async function createPet(port: string, key: string) {
  const created = await ask(`http://127.0.0.1:${port}/v1/pets`, key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":7}',
  })
  assert.deepEqual([created.status, created.text], [201, '{"id":1,"name":"Rex","categoryId":7}'])
}

async function stop(container: Container) {
  const { code, stopMs } = await container.stop()
  assert.equal(code, 0, container.output())
  assert.ok(stopMs < stopMaxMs, `the stop took ${stopMs} ms`)
  console.log(`stopped with exit code 0, ${Math.round(stopMs)} ms after SIGTERM`)
}

function sizeMiB(root: string, path: string): number {
  return Number.parseInt(execFileSync('du', ['-sm', join(root, path)], { encoding: 'utf8' }), 10)
}
