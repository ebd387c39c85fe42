import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from './command.ts'
import { type Compose, durationMs, readCompose, type Service, volumesOf } from './compose.ts'
import { type Container, startContainer } from './container.ts'
import { createBuildah, type ImageConfig } from './container-image.ts'
import { buildPostgresImage, goOnFile, postgresConfig, setUpFile } from './postgres-image.ts'

/** Of those that an engine leaves a container where nothing is dropped. */
const usualCapabilities = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'SETGID', 'SETUID']

type Name = keyof Compose['services']
type Image = { root: string; config: ImageConfig }
type Run = {
  folder: string
  services: Compose['services']
  images: Record<Name, Image>
  volumes: Record<Name, string>
}
type Running = { postgres: Container; petstore: Container; postgresMs: number; petstoreMs: number }

/**
 * Runs the services of `compose.yaml` as it says, in one network without a way out, twice on the same volumes; an image made
 * here does what that of PostgreSQL does. Returns a line for each thing that holds.
 */
export async function tryCompose(folder: string, petstore: Image): Promise<string[]> {
  const { services, volumes: declared } = readServices()
  const buildah = createBuildah(folder)
  const container = buildah('from', '--pull-never', buildPostgresImage(buildah, folder))
  try {
    const postgres = { root: buildah('mount', container), config: postgresConfig }
    const images = { petstore, postgres }
    for (const name of ['petstore', 'postgres'] as const) {
      const volumes = volumesOf(services[name])
      assert.deepEqual(
        volumes.map(({ path }) => path),
        Object.keys(images[name].config.Volumes),
      )
      for (const volume of volumes) assert.ok(volume.name in declared, volume.name)
    }
    const volumes = { petstore: aVolume(folder, 10_001), postgres: aVolume(folder, 0) }
    const run = { folder, services, images, volumes }
    const first = await startServices(run)
    const created = ask(first.petstore, 'POST', '{"name":"Rex","categoryId":7}')
    assert.equal(created, '{"id":1,"name":"Rex","categoryId":7}')
    await stopServices(first, services)
    const second = await startServices(run)
    assert.equal(ask(second.petstore, 'GET'), `[${created}]`)
    await stopServices(second, services)
    return [
      `compose.yaml: PostgreSQL is healthy after ${second.postgresMs} ms, and the service after ${second.petstoreMs} ms more`,
      'compose.yaml: started again on its volumes, it serves what was stored',
    ]
  } finally {
    buildah('rm', container)
  }
}

/** What is stated there and needs an engine, such as the published port, is compared. */
function readServices(): Compose {
  assert.throws(() => readCompose({}), /required variable POSTGRES_PASSWORD is missing/)
  const compose = readCompose({ POSTGRES_PASSWORD: randomBytes(24).toString('hex') })
  const { petstore, postgres } = compose.services
  assert.deepEqual(petstore.ports, ['127.0.0.1:8080:8080'])
  assert.deepEqual(petstore.build, { context: '.', dockerfile: 'Containerfile' })
  assert.deepEqual(petstore.depends_on, { postgres: { condition: 'service_healthy' } })
  assert.match(postgres.image, /^docker\.io\/library\/postgres:18$/)
  return compose
}

/** In the order of `depends_on`. */
async function startServices({ folder, services, images, volumes }: Run): Promise<Running> {
  const hosts = join(folder, 'hosts')
  writeFileSync(hosts, `127.0.0.1 localhost ${Object.keys(services).join(' ')}\n`, { mode: 0o644 })
  const start = (name: Name, network: 'own' | number) => {
    const { root, config: own } = images[name]
    const { environment, read_only, cap_drop, healthcheck } = services[name]
    return startContainer(folder, {
      root,
      config: healthcheck ? { ...own, Healthcheck: { Test: healthcheck.test } } : own,
      volume: volumes[name],
      env: environment,
      files: { '/etc/hosts': hosts },
      isReadOnly: read_only === true,
      capabilities: cap_drop?.includes('ALL') ? [] : usualCapabilities.map((one) => `CAP_${one}`),
      network,
    })
  }
  const isNew = !existsSync(join(volumes.postgres, setUpFile))
  const postgres = start('postgres', 'own')
  if (isNew) await refuseDuringSetUp(postgres, volumes.postgres)
  const postgresMs = Math.round(await postgres.untilHealthy())
  const { interval, retries } = services.postgres.healthcheck as NonNullable<Service['healthcheck']>
  assert.ok(postgresMs <= durationMs(interval) * retries, `healthy after ${postgresMs} ms`)
  const petstore = start('petstore', postgres.pid())
  const petstoreMs = Math.round(await petstore.untilHealthy())
  return { postgres, petstore, postgresMs, petstoreMs }
}

/** A server that is about to stop is not healthy: the service would start on it, and lose it. */
async function refuseDuringSetUp(postgres: Container, volume: string) {
  let hasEnded = false
  postgres.exited.then(() => (hasEnded = true))
  await until(() => hasEnded || existsSync(join(volume, setUpFile)))
  assert.ok(!hasEnded, postgres.output())
  assert.notEqual(postgres.checkHealth().status, 0, 'healthy while it is being set up')
  writeFileSync(join(volume, goOnFile), '')
}

/** Dependents first, each in its time. */
async function stopServices({ petstore, postgres }: Running, services: Compose['services']) {
  for (const [name, container] of Object.entries({ petstore, postgres })) {
    const { code, stopMs } = await container.stop()
    assert.equal(code, 0, container.output())
    const { stop_grace_period } = services[name as Name]
    assert.ok(stopMs < durationMs(stop_grace_period), `${name}: the stop took ${stopMs} ms`)
  }
}

/** Sends a request with the first key from within, since the network has no way out. */
function ask(petstore: Container, method: string, body?: string): string {
  const script = `
    const key = require('node:fs').readFileSync('/data/first-key', 'utf8').trim()
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
    const [method, body] = process.argv.slice(1)
    fetch('http://127.0.0.1:8080/v1/pets', { method, headers, body })
      .then((response) => response.text())
      .then((text) => process.stdout.write(text))`
  const command = ['node', '-e', script, method, ...(body === undefined ? [] : [body])]
  const { stdout, stderr, status } = petstore.exec(command)
  assert.equal(status, 0, stderr)
  return stdout
}

function aVolume(folder: string, owner: number): string {
  const volume = mkdtempSync(join(folder, 'volume-'))
  chownSync(volume, owner, owner)
  chmodSync(volume, owner === 0 ? 0o755 : 0o700)
  return volume
}
