import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { parseYaml } from '@redocly/openapi-core'
import { example } from '../harness/documents.ts'
import { repositoryRoot } from '../processes/process.ts'

type Service = Record<string, unknown> & { environment: Record<string, string>; volumes: string[] }
type Compose = {
  services: Record<'petstore' | 'one' | 'two' | 'three' | 'balancer' | 'postgres', Service>
  volumes: object
  configs: { balancer: { content: string } }
}

const text = readFileSync(join(repositoryRoot, 'compose.yaml'), 'utf8')
const { services, volumes, configs } = parseYaml(text) as Compose
const { petstore, postgres, balancer } = services

it('compose.yaml keeps both stores on declared volumes, and requires a password', () => {
  assert.deepEqual(petstore.volumes, ['petstore:/data'])
  // The image of PostgreSQL 18 has its data in a folder below this one.
  assert.deepEqual(postgres.volumes, ['postgres:/var/lib/postgresql'])
  assert.deepEqual(Object.keys(volumes), ['petstore', 'postgres'])
  assert.match(readFileSync(join(repositoryRoot, 'Containerfile'), 'utf8'), /^VOLUME \/data$/m)
  const required = '${POSTGRES_PASSWORD:?'
  assert.ok(postgres.environment.POSTGRES_PASSWORD?.startsWith(required))
  assert.ok(petstore.environment.PETSTORE_DATABASE?.includes(`petstore:${required}`))
})

it('compose.yaml starts the service, confined and for this machine alone, once PostgreSQL takes connections', () => {
  assert.deepEqual(petstore.ports, ['127.0.0.1:8080:8080'])
  assert.deepEqual([petstore.read_only, petstore.cap_drop], [true, ['ALL']])
  assert.deepEqual(petstore.security_opt, ['no-new-privileges:true'])
  assert.deepEqual(petstore.depends_on, { postgres: { condition: 'service_healthy' } })
  // Without a host it would pass on the server that sets a new volume up, which is about to stop.
  const { test } = postgres.healthcheck as { test: string[] }
  assert.deepEqual(test.slice(0, 4), ['CMD', 'pg_isready', '--host', '127.0.0.1'])
})

it('compose.yaml has three of the service behind a balancer, where the profile fleet is chosen', () => {
  const { ports, ...member } = petstore
  for (const name of ['one', 'two', 'three'] as const)
    assert.deepEqual(services[name], { ...member, profiles: ['fleet'] })
  assert.deepEqual(balancer.profiles, ['fleet'])
  assert.deepEqual(balancer.ports, ports)
  assert.deepEqual(balancer.depends_on, ['one', 'two', 'three'])
})

it('compose.yaml has the nginx of the guide', () => {
  const [, ...lines] = example('fleet/nginx.conf').replace('ADDRESS:', '').split('\n')
  const isMember = (line: string) => line.trimStart().startsWith('server ') && line.endsWith(';')
  const own = configs.balancer.content.replaceAll('$$', '$').split('\n')

  assert.deepEqual(
    own.filter((line) => !isMember(line)),
    lines.filter((line) => !isMember(line)),
  )
  const members = own.filter(isMember).map((line) => line.trim())
  assert.deepEqual(
    members,
    ['one', 'two', 'three'].map((name) => `server ${name}:8080 max_fails=0;`),
  )
})
