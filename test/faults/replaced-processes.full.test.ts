import assert from 'node:assert/strict'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { childrenOf } from '../../bench/harness/processor-time.ts'
import { readExposition } from '../harness/exposition.ts'
import { until } from '../harness/until.ts'
import { aDirectory, executable, freePort, spawnCommand } from '../processes/command.ts'
import { anyPostgres, type PostgresServer } from '../processes/postgres.ts'
import { settingsFor } from '../processes/process.ts'
import { startSteadyClients } from '../processes/steady-clients.ts'
import { startSupervised } from '../processes/supervised-service.ts'
import { workingCopy } from '../processes/working-copy.ts'

const rounds = 4
const clients = { count: 8, pauseMaxMs: 10 }
const opened = /^The pet store is open/
const wasReplaced = /^A process was replaced/

describe('petstore serve --processes', () => {
  let server: PostgresServer

  before(async () => {
    server = await anyPostgres()
  })
  after(() => server.stop())

  async function settings(t: TestContext): Promise<Record<string, string>> {
    const address = await server.createDatabase()
    t.after(() => server.dropDatabase(address))
    return {
      ...settingsFor(aDirectory(t)),
      PETSTORE_DATABASE: address,
      PETSTORE_ACCESS_LOG: 'on',
      PETSTORE_DRAIN_MS: '500',
    }
  }

  const countPets = async (env: Record<string, string>) => {
    const database = new URL(env.PETSTORE_DATABASE ?? '').pathname.slice(1)
    return Number((await server.query('select count(*) from pets', database)).rows[0].count)
  }

  it('SIGHUP replaces all processes under load: no request fails, no create is lost, lines of the log are whole', async (t) => {
    const env = await settings(t)
    const service = await startSupervised(t, env)
    const load = startSteadyClients(service, clients)
    for (let round = 1; round <= rounds; round++) {
      const before = service.processIds()
      service.signal('SIGHUP')
      await service.untilLogged(wasReplaced, round * 2)
      assert.equal(service.processIds().filter((pid) => before.includes(pid)).length, 0)
    }
    const { 'GET 200': reads = 0, 'POST 201': creates = 0, ...others } = await load.stop()
    const lines = service.lines()
    const exitCode = await service.stop()

    assert.deepEqual(others, {})
    assert.ok(reads > 0 && creates > 0)
    assert.equal(await countPets(env), creates)
    assert.equal(exitCode, 0)
    const numbers = new Set(lines.filter(({ url }) => url).map((line) => line.process))
    assert.deepEqual([...numbers].sort(), [1, 2, 3])
  })

  it('SIGHUP while the supervisor starts, as ExecReload sends it, is done after the start', async (t) => {
    const env = await settings(t)
    const serve = spawnCommand(t, executable('serve', '--processes', '2'), { env })
    await until(() => childrenOf(serve.pid).length > 0)
    const first = childrenOf(serve.pid)
    process.kill(serve.pid, 'SIGHUP')

    await serve.waitFor(/The pet store is open[\s\S]*(?:A process was replaced[\s\S]*){2}/)
    assert.ok(!childrenOf(serve.pid).some((pid) => first.includes(pid)))
    assert.equal((await serve.stop()).code, 0)
  })

  it('a killed process is started again; connections that it had accepted are all that is lost', async (t) => {
    const service = await startSupervised(t, await settings(t))
    const [killed = 0, other = 0] = service.processIds()

    process.kill(killed, 'SIGKILL')
    const [line] = await service.untilLogged(/^A process ended: SIGKILL\. Another one/, 1)
    await until(() => service.processIds().length === 2)

    assert.deepEqual([line?.level, line?.processId, line?.pid], [50, killed, service.pid])
    assert.ok(service.processIds().includes(other))
    const load = startSteadyClients(service, clients)
    await until(() => (load.outcomes['GET 200'] ?? 0) > 1_000)
    assert.deepEqual(Object.keys(await load.stop()).sort(), ['GET 200', 'POST 201'])
  })

  it('processes that cannot start again are tried again with growing pauses', async (t) => {
    const root = aCopy(t)
    const service = await startSupervised(t, await settings(t), { root })
    writeFileSync(join(root, 'bin/petstore.js'), 'process.exit(9)')

    for (const pid of service.processIds()) process.kill(pid, 'SIGKILL')
    const [last] = await service.untilLogged(/exit code 9\. Another one is started in 800 ms/, 1)

    const ofProcess = service.lines().filter((line) => line.process === last?.process)
    const pauses = ofProcess.flatMap(({ msg }) => /is started in (\d+) ms/.exec(msg)?.[1] ?? [])
    assert.deepEqual(pauses, ['100', '200', '400', '800'])
  })

  it('a supervisor that is killed takes its processes with it, and frees the port', async (t) => {
    const env = await settings(t)
    const service = await startSupervised(t, env)
    const processes = service.processIds()

    service.signal('SIGKILL')
    await until(() => processes.every((pid) => !isRunning(pid)))

    const { port } = new URL(service.baseUrl)
    const next = await startSupervised(t, { ...env, PETSTORE_PORT: port })
    assert.equal(await next.stop(), 0)
  })

  it('SIGTERM to all processes, as systemd and a terminal send it, stops in order', async (t) => {
    const service = await startSupervised(t, await settings(t))
    const processes = service.processIds()
    const load = startSteadyClients(service, clients)
    await until(() => (load.outcomes['GET 200'] ?? 0) > clients.count)

    for (const pid of processes) process.kill(pid, 'SIGTERM')
    const stopped = load.stop()
    assert.equal(await service.stop(), 0)

    // Readiness ends with the stop; nothing else fails, and no connection is reset.
    const { 'GET 200': _, 'POST 201': _created, 'GET 503': _probes, ...others } = await stopped
    assert.deepEqual(others, {})
    assert.ok(processes.every((pid) => !isRunning(pid)))
    const isWarning = ({ level, msg }: { level: number; msg: string }) =>
      level >= 40 && !msg.startsWith('A new, empty production store is created')
    assert.deepEqual(service.lines().filter(isWarning), [])
  })

  it('SIGHUP starts the next version; one that does not start leaves the processes as they are', async (t) => {
    const metricsPort = await freePort()
    const env = { ...(await settings(t)), PETSTORE_METRICS_ADDRESS: String(metricsPort) }
    const root = aCopy(t)
    const service = await startSupervised(t, env, { root })
    const versions = async () => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
      const infos = readExposition(text).get('petstore_build_info')?.samples ?? []
      return infos.map(({ labels }) => `${labels.process}: ${labels.version}`).sort()
    }
    assert.deepEqual(await versions(), ['1: 1.0.0', '2: 1.0.0'])

    const manifest = join(root, 'package.json')
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"1.0.0"', '"1.0.2"'))
    service.signal('SIGHUP')
    await service.untilLogged(wasReplaced, 2)
    assert.deepEqual(await versions(), ['1: 1.0.2', '3: 1.0.2'])

    writeFileSync(join(root, 'src/version.ts'), 'throw new Error("not this one")')
    service.signal('SIGHUP')
    const [line] = await service.untilLogged(/^The replacement of a process ended before/, 1)
    assert.deepEqual(await versions(), ['1: 1.0.2', '3: 1.0.2'])
    assert.equal(line?.level, 50)
    assert.equal(service.lines().filter(({ msg }) => opened.test(msg)).length, 1)
    assert.equal(await service.stop(), 0)
  })

  it('a start that fails ends with the exit code of the first process', async (t) => {
    const env = await settings(t)
    const service = await startSupervised(t, env)
    const { port } = new URL(service.baseUrl)

    await assert.rejects(startSupervised(t, { ...env, PETSTORE_PORT: port }), /is in use/)
  })
})

/** A copy of the program that can be changed. */
function aCopy(t: TestContext): string {
  const root = workingCopy()
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return root
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
