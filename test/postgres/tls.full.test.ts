import assert from 'node:assert/strict'
import { chmodSync, chownSync, copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { until } from '../harness/until.ts'
import { ask } from '../processes/command.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import { serveRefused, settingsOn } from '../processes/postgres-store.ts'
import { startService } from '../processes/process.ts'

const certificate = (name: string) => join(import.meta.dirname, 'tls', name)

/** An address with these TLS parameters. */
function over(address: string, parameters: Record<string, string>, hostname = 'localhost') {
  const url = new URL(address)
  url.hostname = hostname
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

describe('TLS to PostgreSQL', () => {
  let server: OwnPostgres
  before(async () => {
    server = await startPostgres()
    await useTls(server)
  })
  after(() => server?.stop())

  it('verify-full with the certificate that signed the server’s: every session is encrypted', async (t) => {
    const sslrootcert = certificate('server.crt')
    const address = over(await server.createDatabase(), { sslmode: 'verify-full', sslrootcert })
    await using service = await startService({ env: settingsOn(t, address) })

    const { status } = await ask(`${service.baseUrl}/pets`, service.key)

    const { rows } = await server.query(`select distinct ssl from pg_stat_ssl
      join pg_stat_activity using (pid) where application_name = 'petstore'`)
    assert.equal(status, 200)
    assert.deepEqual(rows, [{ ssl: true }])
  })

  it('78 configuration: a certificate signed by another authority is refused, and nothing is sent', async (t) => {
    const sslrootcert = certificate('other.crt')
    const database = await server.createDatabase()

    const refused = await serveRefused(t, over(database, { sslmode: 'verify-full', sslrootcert }))

    assert.deepEqual([refused.code, refused.stdout], [78, ''])
    assert.match(refused.stderr, /self-signed certificate.*\n$/)
    assert.ok(!refused.stderr.includes('postgres:postgres'))
  })

  it('78 configuration: a certificate for another name is refused', async (t) => {
    const sslrootcert = certificate('server.crt')
    const database = await server.createDatabase()
    const address = over(database, { sslmode: 'verify-full', sslrootcert }, '127.0.0.1')

    const { code, stderr } = await serveRefused(t, address)

    assert.equal(code, 78)
    assert.match(stderr, /Hostname\/IP does not match certificate's altnames: .*\n$/)
  })
})

async function useTls({ query }: OwnPostgres): Promise<void> {
  const { rows } = await query('show data_directory')
  const directory: string = rows[0].data_directory
  const { uid, gid } = statSync(directory)
  for (const name of ['server.crt', 'server.key']) {
    copyFileSync(certificate(name), join(directory, name))
    chmodSync(join(directory, name), 0o600)
    chownSync(join(directory, name), uid, gid)
  }
  await query('alter system set ssl = on')
  await query('select pg_reload_conf()')
  await until(async () => (await query('show ssl')).rows[0].ssl === 'on')
}
