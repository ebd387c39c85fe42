import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../processes/command.ts'
import { startPostgres } from '../../processes/postgres.ts'
import {
  repositoryRoot,
  type Service,
  settingsFor,
  startService,
  whenThisProcessIsGone,
} from '../../processes/process.ts'
import { fail } from '../measure.ts'
import { runWatched } from '../run-watched.ts'
import { rulesFile } from './rehearse-alerts.ts'
import { followEvents, troubledWork, work } from './work.ts'

const dashboardFile = join(repositoryRoot, 'docs/operations/petstore-dashboard.json')
/** An hour of the rules, and their longest wait after it. */
const secondsOfWork = 75
/** What the trouble of a service in memory causes, which has no backup. */
const expectedInTrouble = [
  'PetstoreBackupOld',
  'PetstoreConnectionsNearMaximum',
  'PetstoreErrors',
  'PetstoreSlow',
  'PetstoreStreamsNearMaximum',
]

type Metered = { name: string; service: Service; address: string }

/** Scrapes services with a real Prometheus, and asks it for all that the dashboard shows and for the alerts that fire. */
export async function checkLive(directory: string): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const server = await startPostgres()
  stack.defer(() => server.stop())
  const start = async (name: string, env: Record<string, string>, args?: string[]) => {
    const address = `127.0.0.1:${await freePort()}`
    const all = { ...env, PETSTORE_METRICS_ADDRESS: address }
    const service = await startService({ env: all, ...(args ? { args } : {}) })
    stack.defer(async () => void (await service.kill()))
    return { name, service, address }
  }
  const ordinary: Metered[] = []
  for (const [name, database] of [
    ['sqlite', `sqlite:${join(directory, 'sqlite.db')}`],
    ['postgres', await server.createDatabase()],
  ] as const) {
    const env = {
      ...settingsFor(directory),
      PETSTORE_FIRST_KEY_FILE: join(directory, `${name}.key`),
      PETSTORE_DATABASE: database,
      PETSTORE_ORDER_HOLD_MS: '5000',
    }
    ordinary.push(await start(name, env))
    const backup = await runWatched(['backup', join(directory, `${name}.backup`)], { env })
    if (backup.code !== 0) throw new Error(backup.stderr)
  }
  const limits = { PETSTORE_STREAMS_MAX: '1', PETSTORE_CONNECTIONS_MAX: '4', PETSTORE_PORT: '0' }
  const troubled = await start('troubled', limits, ['serve', '--json', '--ephemeral'])
  const query = await startPrometheus(directory, [...ordinary, troubled], stack)

  for (const { service } of [...ordinary, troubled]) stack.use(await followEvents(service))
  const done = new AbortController()
  const working = [
    ...ordinary.map(({ service }) => work(service, done.signal)),
    troubledWork(troubled.service, done.signal),
  ]
  await sleep(secondsOfWork * 1_000)
  let fired = await alertsOf(query)
  const firesExpected = () => String(fired.get(troubled.address)) === String(expectedInTrouble)
  // A scrape that a busy machine misses begins the wait of an alert anew.
  for (let more = 0; more < secondsOfWork && !firesExpected(); more++) {
    await sleep(1_000)
    fired = await alertsOf(query)
  }
  for (const { name, address } of ordinary) {
    if (fired.get(address)) fail(`ordinary work on ${name} fires ${fired.get(address)}`)
  }
  if (!firesExpected())
    fail(`trouble fires ${fired.get(troubled.address)} instead of ${expectedInTrouble}`)
  await checkDashboard(query)
  for (const { name, address } of ordinary) await lint(name, address)
  done.abort()
  await Promise.all(working)
  await troubled.service.kill()
  await sleep(5_000)
  const afterKill = (await alertsOf(query)).get(troubled.address) ?? []
  if (!afterKill.includes('PetstoreDown')) fail(`a killed process fires ${afterKill}`)
  console.log(
    `A service in trouble fires ${expectedInTrouble.join(', ')}; a killed one, PetstoreDown.`,
  )
}

type Result = { metric: Record<string, string>; value: [number, string] }
type Query = (text: string) => Promise<Result[]>

async function startPrometheus(
  directory: string,
  targets: readonly Metered[],
  stack: AsyncDisposableStack,
): Promise<Query> {
  const rules = join(directory, 'compressed.yml')
  writeFileSync(rules, compressed(readFileSync(rulesFile, 'utf8')))
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '250ms' },
    rule_files: [rules],
    scrape_configs: [
      {
        job_name: 'petstore',
        static_configs: [{ targets: targets.map(({ address }) => address) }],
      },
    ],
  }
  const file = join(directory, 'prometheus.yml')
  writeFileSync(file, JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  const args = [`--config.file=${file}`, `--storage.tsdb.path=${join(directory, 'tsdb')}`]
  const child = spawn('prometheus', [...args, `--web.listen-address=${address}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  whenThisProcessIsGone('kill -9 "$1"', [String(child.pid)], child)
  const ended = once(child, 'exit')
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  stack.defer(async () => {
    child.kill()
    await ended
  })
  while (!output.includes('Server is ready to receive web requests')) {
    if (child.exitCode !== null) throw new Error(output)
    await sleep(50)
  }
  return async (text) => {
    const response = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(text)}`)
    const { data, error } = (await response.json()) as {
      data?: { result: Result[] }
      error?: string
    }
    if (!data) throw new Error(`${text}: ${error}`)
    return data.result
  }
}

/** Rules whose minutes are seconds, and whose hours are minutes. Ages in numbers stay as they are. */
function compressed(rules: string): string {
  return rules.replace(/(for: |\[)(\d+)([mh])/g, (_, before, count, unit) => {
    return `${before}${count}${unit === 'h' ? 'm' : 's'}`
  })
}

/** The alerts that fire, by the address of the process. */
async function alertsOf(query: Query): Promise<Map<string, string[]>> {
  const firing = await query('ALERTS{alertstate="firing"}')
  const names = Map.groupBy(firing, ({ metric }) => metric.instance ?? '')
  return new Map(
    [...names].map(([instance, found]) => [
      instance,
      found.map(({ metric }) => metric.alertname ?? '').toSorted(),
    ]),
  )
}

type Panel = { title: string; targets?: { expr: string }[] }

async function checkDashboard(query: Query): Promise<void> {
  const { panels } = JSON.parse(readFileSync(dashboardFile, 'utf8')) as { panels: Panel[] }
  let queries = 0
  for (const { title, targets = [] } of panels) {
    for (const { expr } of targets) {
      const asked = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '30s')
      const found = await query(asked)
      const hasData = found.some(({ value }) => Number.isFinite(Number(value[1])))
      if (!hasData) fail(`the panel ${title} has no data: ${expr}`)
      queries += 1
    }
  }
  console.log(`${queries} queries of the dashboard were asked.`)
}

/** `promtool` knows the conventions of names and units. */
async function lint(name: string, address: string): Promise<void> {
  const input = await (await fetch(`http://${address}/metrics`)).text()
  execFileSync('promtool', ['check', 'metrics'], { input, stdio: ['pipe', 'inherit', 'inherit'] })
  console.log(`The metrics of ${name} keep the conventions, ${input.length} characters.`)
}
