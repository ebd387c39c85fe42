import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aPet } from '../harness/app.ts'
import { until } from '../harness/until.ts'
import { ask } from '../processes/command.ts'
import { type OwnPostgres, startPostgres } from '../processes/postgres.ts'
import { openSession, settingsOn } from '../processes/postgres-store.ts'
import { type Service, startService } from '../processes/process.ts'

/** 16, one that looks for the primary, and some that the server is just ending. */
const sessionsMax = 20
/** Longer than a statement is waited for, so that several are given up. */
const hangMs = 30_000

describe('a primary that hangs, or was deposed', () => {
  let primary: OwnPostgres
  let standby: OwnPostgres

  before(async () => {
    primary = await startPostgres()
    standby = await primary.startStandby()
    await setStandbys('*')
  })
  after(async () => {
    await primary?.stop()
    await standby?.stop()
  })

  it('reads go on, and no more sessions are opened, while every commit waits for a frozen standby', async (t) => {
    const address = await primary.createDatabase()
    const service = await serve(t, address)
    const admin = await openSession(t, address)
    const receiver = await receiverOf(standby)
    const stopping = new AbortController()
    const statuses: number[] = []

    process.kill(receiver, 'SIGSTOP')
    t.after(() => process.kill(receiver, 'SIGCONT'))
    const writing = Promise.all(
      Array.from({ length: 40 }, (_, number) => writeUntil(service, number, stopping.signal)),
    )
    let sessions = 0
    const endMs = performance.now() + hangMs
    while (performance.now() < endMs) {
      statuses.push((await ask(`${service.baseUrl}/pets`, service.key)).status)
      const { rows } = await admin.query(
        "select count(*)::int as count from pg_stat_activity where application_name = 'petstore'",
      )
      sessions = Math.max(sessions, rows[0].count)
      await sleep(20)
    }
    process.kill(receiver, 'SIGCONT')
    stopping.abort()
    await writing
    t.diagnostic(`${sessions} sessions, ${statuses.length} reads`)

    assert.ok(sessions <= sessionsMax, `${sessions} sessions`)
    assert.ok(statuses.length > 20 && statuses.every((status) => status === 200))
    await until(async () => (await create(service)).status === 201)
  })

  it('200: readiness tells the primary, how far the standby is, and when none is left', async (t) => {
    const database = nameOf(await primary.createDatabase())
    const service = await serve(t, addressOf(database, primary.port, standby.port))
    const readiness = async () => {
      const url = service.baseUrl.replace('/v1', '/health/ready')
      return JSON.parse((await ask(url, service.key)).text)
    }
    await until(async () => (await readiness()).replication?.synchronousStandbys === 1)

    const { replication } = await readiness()
    await setStandbys('')
    await standby.bringDown('fast')
    await until(async () => (await readiness()).replication?.standbys === 0)
    const { status, replication: alone } = await readiness()
    await standby.bringUp()
    await setStandbys('*')

    assert.equal(replication.primary, `127.0.0.1:${primary.port}`)
    assert.ok(replication.behindBytes >= 0 && replication.problem === undefined)
    assert.equal(status, 'ready')
    assert.match(alone.problem, /^No standby is connected: a failover would lose acknowledged/)
  })

  async function setStandbys(names: string) {
    await primary.query(`alter system set synchronous_standby_names = '${names}'`)
    await primary.query('select pg_reload_conf()')
  }

  it('a deposed primary that still runs is left, and never used again', async (t) => {
    const database = nameOf(await primary.createDatabase())
    const address = addressOf(database, primary.port, standby.port)
    const settings = settingsOn(t, address)
    const service = await startService({ env: settings })
    t.after(() => service.kill())
    await until(async () => (await create(service)).status === 201)

    await standby.query('select pg_promote()')
    await until(async () => (await create(service)).status === 201)
    const inNew = await countIn(standby, database)
    // The one that was deposed would now confirm commits at once.
    await setStandbys('')
    await until(async () => {
      const waits = "select from pg_stat_activity where wait_event = 'SyncRep'"
      return (await primary.query(waits)).rowCount === 0
    })
    const before = await countIn(primary, database)
    await standby.bringDown('immediate')
    const refused = await create(service)
    await standby.bringUp()
    await until(async () => (await create(service)).status === 201)
    const newcomer = await startService({ env: settings })
    t.after(() => newcomer.kill())
    assert.equal((await create(newcomer)).status, 201)
    const { stderr } = await service.kill()

    assert.equal(refused.status, 503)
    assert.equal(await countIn(primary, database), before)
    assert.ok((await countIn(standby, database)) > inNew)
    assert.ok(
      warningsIn(stderr).some((one) =>
        /^The primary is \S+ on timeline 2 now.*; it was \S+ on timeline 1\.$/.test(one),
      ),
      stderr,
    )
    assert.match(stderr, /it is on timeline 1, and 2 was seen: it is no longer the primary/)
  })
})

function serve(t: TestContext, address: string): Promise<Service> {
  const started = startService({ env: settingsOn(t, address) })
  t.after(async () => (await started).kill())
  return started
}

const nameOf = (address: string) => new URL(address).pathname.slice(1)

function addressOf(database: string, ...ports: number[]): string {
  const hosts = ports.map((port) => `127.0.0.1:${port}`)
  return `postgres://postgres:postgres@${hosts.join(',')}/${database}`
}

function create(service: Service, headers: Record<string, string> = {}) {
  return ask(`${service.baseUrl}/pets`, service.key, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(aPet()),
  })
}

/** Several kinds of writes: each has transactions of its own. */
async function writeUntil(service: Service, number: number, signal: AbortSignal): Promise<void> {
  for (let n = 0; !signal.aborted; n++) {
    if (number % 4 === 0) await ask(service.baseUrl.replace('/v1', '/health/ready'), service.key)
    else await create(service, number % 2 === 0 ? {} : { 'idempotency-key': `${number}-${n}` })
  }
}

function warningsIn(log: string): string[] {
  const lines = log.split('\n').filter((line) => line.startsWith('{"level":40'))
  return lines.map((line) => JSON.parse(line).msg)
}

async function receiverOf(standby: OwnPostgres): Promise<number> {
  let pid: number | undefined
  await until(async () => {
    const { rows } = await standby.query('select pid from pg_stat_wal_receiver')
    pid = rows[0]?.pid
    return pid !== undefined
  })
  return pid as number
}

async function countIn(server: OwnPostgres, database: string): Promise<number> {
  const { rows } = await server.query('select count(*)::int as count from pets', database)
  return rows[0]?.count
}
