import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { it, type TestContext } from 'node:test'
import pg from 'pg'
import { verifyStore } from '../../src/admin/verify/verify-store.ts'
import { storage } from '../../src/app/storage.ts'
import { settings } from '../../src/config/settings.ts'
import { openDbAsItIs } from '../../src/db/open.ts'
import { startApp } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { aDirectory } from '../processes/command.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'

/** A server whose log is archived, as docs/guides/disaster.md sets it up. */
async function startArchiving(t: TestContext) {
  const folder = aDirectory(t)
  const [archive, base] = [join(folder, 'log'), join(folder, 'base')]
  mkdirSync(archive)
  // The server runs as another user where the tests run as root.
  for (const path of [folder, archive]) chmodSync(path, 0o777)
  const command = `test ! -f ${archive}/%f && cp %p ${archive}/%f`
  const server = await startPostgres([
    'archive_mode=on',
    `archive_command=${command}`,
    'archive_timeout=60',
  ])
  t.after(() => server.stop())
  const { rows } = await server.query('show data_directory')
  return { server, archive, base, data: String(rows[0].data_directory) }
}

/** What pg_basebackup does, which the package of the tests lacks. */
async function backUp(server: OwnPostgres, data: string, base: string): Promise<void> {
  const client = new pg.Client(server.addressOf('postgres'))
  await client.connect()
  await client.query("select pg_backup_start('petstore', true)")
  const isLeftOut = (path: string) =>
    basename(path) === 'postmaster.pid' || path.startsWith(join(data, 'pg_wal/0'))
  cpSync(data, base, { recursive: true, filter: (path) => !isLeftOut(path) })
  const { rows } = await client.query('select labelfile from pg_backup_stop()')
  writeFileSync(join(base, 'backup_label'), rows[0].labelfile)
  await client.end()
}

/** The commands of the guide after the accident. */
async function recover(
  server: OwnPostgres,
  { data, base, archive }: { data: string; base: string; archive: string },
  before: string,
): Promise<void> {
  const { uid, gid } = statSync(data)
  await server.bringDown('fast')
  const dropped = `${data}.dropped`
  renameSync(data, dropped)
  cpSync(base, data, { recursive: true })
  for (const name of readdirSync(join(dropped, 'pg_wal')).filter((one) => one.startsWith('0'))) {
    cpSync(join(dropped, 'pg_wal', name), join(archive, name), { force: false })
  }
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `restore_command = 'cp ${archive}/%f %p'
recovery_target_time = '${before}'
recovery_target_action = 'promote'\n`,
  )
  writeFileSync(join(data, 'recovery.signal'), '')
  chmodSync(data, 0o700)
  if (process.getuid?.() === 0) {
    execFileSync('chown', ['-R', `${uid}:${gid}`, data, archive])
  }
  await server.bringUp()
  await until(async () => !(await server.query('select pg_is_in_recovery() as it')).rows[0].it)
  rmSync(dropped, { recursive: true })
}

async function findingsIn(address: string) {
  const db = await openDbAsItIs(settings.database.read(address), {
    storage,
    warn: () => undefined,
  })
  const findings = []
  for await (const result of verifyStore({ db }, storage.checks)) findings.push(...result.findings)
  await db.close()
  return findings
}

it('point-in-time recovery brings back what was acknowledged before the accident, and no id is assigned again', async (t) => {
  const { server, ...places } = await startArchiving(t)
  const database = await server.createDatabase()
  const name = new URL(database).pathname.slice(1)
  const now = async () =>
    String((await server.query('select clock_timestamp()::text as now')).rows[0].now)
  const open = () => startApp({ settings: { PETSTORE_DATABASE: database } })
  const app = await open()
  const early = await app.api.createPet({ name: 'Early' })
  await backUp(server, places.data, places.base)
  const late = await app.api.createPet({ name: 'Late' })
  const before = await now()
  const afterwards = await app.api.createPet({ name: 'After' })
  await server.query('drop table pets', name)
  await app.close()

  const startMs = performance.now()
  await recover(server, places, before)
  await server.query(
    `select setval(pg_get_serial_sequence('pets', 'id'), nextval(pg_get_serial_sequence('pets', 'id')) + 100000)`,
    name,
  )
  const again = await open()
  const takenMs = performance.now() - startMs
  const { text } = await again.api.get('/v1/pets')
  const created = await again.api.createPet({ name: 'New' })
  await again.close()

  t.diagnostic(`served again ${Math.round(takenMs)} ms after the first command`)
  assert.deepEqual(JSON.parse(text), [early, late])
  assert.ok(created.id > afterwards.id + 90_000)
  assert.deepEqual(await findingsIn(database), [])
})
