import { randomInt } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runSql } from '../../harness/documents.ts'
import { until } from '../../harness/until.ts'
import { type Link, startLink } from '../../processes/link.ts'
import { usePostgres } from '../../processes/postgres.ts'
import {
  type Service,
  signalAll,
  startService,
  whenThisProcessIsGone,
} from '../../processes/process.ts'
import {
  createMachines,
  type Daemon,
  fileOf,
  giveToPostgres,
  type Machine,
  noteCommand,
  runCommand,
  serverPids,
  settingsOf,
  startDaemon,
  statements,
  writeFile,
} from './machines.ts'

const user = { user: 'postgres' }
/** Many times what an election, a copy of the data or a start takes. */
const changeMaxMs = 180_000

/** A machine with a database and a service. */
export type Node = Machine & {
  patroni: Daemon
  pooler: Daemon | undefined
  service: Service
  /** From its Patroni to each etcd. */
  toEtcd: Link[]
  /** From the standby to its PostgreSQL. */
  toPrimary: Link
  /** From the services to its PostgreSQL, or to its pooler. */
  fromServices: Link
}

/** What Patroni says of a member. */
type Member = { name: string; role: string; state: string; timeline?: number }

export type Cluster = AsyncDisposable & {
  nodes: [Node, Node]
  balancer: Machine
  etcds: { daemon: Daemon; start(): Daemon }[]
  /** Services that have ended although nobody ended them. */
  ended: string[]
}

/** A parent is named where the folder, with the logs, is to stay. */
type Shape = { etcds: 1 | 3; isPooled: boolean; parent: string | undefined }

/** Starts everything in the order of the guide. */
export async function startCluster({ etcds: count, isPooled, parent }: Shape): Promise<Cluster> {
  await using starting = new AsyncDisposableStack()
  const folder = mkdtempSync(join(parent ?? tmpdir(), 'petstore-machines-'))
  chmodSync(folder, 0o755)
  const machines = createMachines(folder, `127.0.${randomInt(2, 250)}.`)
  const etcds = machines.slice(-count).map((machine) => startEtcd(machine, count))
  starting.defer(() => stopAll(etcds.map(({ daemon }) => daemon)))
  const started = []
  for (const machine of machines.slice(0, 2)) {
    const node = await startDatabase(machine, machines.slice(-count), isPooled)
    starting.defer(() => stopDatabase(node))
    for (const link of [...node.toEtcd, node.toPrimary, node.fromServices]) starting.use(link)
    started.push(node)
  }
  noteCommand('systemctl enable --now patroni')
  const nodes = started as [Node, Node]
  const cluster = { nodes, balancer: machines[2], etcds, ended: [] }
  await untilWhole(cluster)
  const { address } = await leaderOf(cluster)
  await runSql(usePostgres(`postgres://postgres:choose-one@${address}/postgres`), statements())
  for (const node of nodes) node.service = await startOne(cluster, node, isPooled)
  noteCommand('systemctl enable --now petstore')
  starting.defer(async () => void (await Promise.all(nodes.map(({ service }) => service.kill()))))
  const balancer = startBalancer(machines[2])
  starting.defer(() => balancer.signal('SIGTERM'))
  // A connection of fetch would be kept, and closed by the reload while the next request is sent on it.
  const report = () => runCommand(machines[2], 'curl -s http://10.0.0.13:8080/health/ready')
  await until(() =>
    report().then(
      (text) => text.includes('"ready"'),
      () => false,
    ),
  )
  for (const command of ['nginx -t', 'nginx -s reload']) await runCommand(machines[2], command)
  const text = await report()
  if (!text.includes('"synchronousStandbys":1')) throw new Error(text)
  const all = starting.move()
  return {
    ...cluster,
    async [Symbol.asyncDispose]() {
      await all.disposeAsync()
      if (parent === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startEtcd(machine: Machine, count: number) {
  for (const step of ['stop etcd', 'start etcd']) noteCommand(`systemctl ${step}`)
  noteCommand('rm -rf /var/lib/etcd/default')
  const settings = settingsOf(fileOf(machine, '/etc/default/etcd'))
  const env = { ...settings, ETCD_DATA_DIR: machine.rewrite('/var/lib/etcd/default') }
  // A cluster of one is the last of the three.
  if (count === 1)
    Object.assign(env, {
      ETCD_INITIAL_CLUSTER: `three=${settings.ETCD_INITIAL_ADVERTISE_PEER_URLS}`,
    })
  mkdirSync(machine.rewrite('/var/lib/etcd'), { recursive: true })
  giveToPostgres(machine)
  const start = () => startDaemon(machine, ['/usr/bin/etcd'], { ...user, env })
  return { daemon: start(), start }
}

async function startDatabase(
  machine: Machine,
  etcds: readonly Machine[],
  isPooled: boolean,
): Promise<Node> {
  const toEtcd = await Promise.all(etcds.map(({ address }) => startLink(`${address}:2379`)))
  const toPrimary = await startLink(`${machine.address}:5432`)
  const fromServices = await startLink(`${machine.address}:${isPooled ? 6432 : 5432}`)
  const hosts = toEtcd.map(({ address }) => address).join()
  writeFile(machine, '/etc/patroni/config.yml', (text) =>
    text
      // Otherwise Patroni asks etcd for its addresses, and goes around the links.
      .replace(/( +)hosts: .*/, `$1hosts: ${hosts}\n$1use_proxies: true`)
      .replace(`connect_address: ${machine.address}:5432`, `connect_address: ${toPrimary.address}`)
      // Here is no device of a watchdog.
      .replace('mode: required', "mode: 'off'"),
  )
  mkdirSync(machine.rewrite('/var/lib/postgresql/15'), { recursive: true })
  writeFile(machine, '/etc/pgbouncer/userlist.txt', (text) => text.replace(/^#.*\n/, ''))
  writeFile(machine, '/etc/pgbouncer/pgbouncer.ini')
  giveToPostgres(machine)
  const node = { ...machine, toEtcd, toPrimary, fromServices }
  const pooler = isPooled ? startPooler(machine) : undefined
  whenThisProcessIsGone('kill -9 $(head -n 1 "$1")', [
    machine.rewrite('/var/lib/postgresql/15/petstore/postmaster.pid'),
  ])
  // The service is started once there is a primary.
  return { ...node, patroni: startPatroni(machine), pooler } as Node
}

export function startPatroni(machine: Machine): Daemon {
  const file = machine.rewrite('/etc/patroni/config.yml')
  return startDaemon(machine, ['/usr/bin/patroni', file], user)
}

export function startPooler(machine: Machine): Daemon {
  const file = machine.rewrite('/etc/pgbouncer/pgbouncer.ini')
  return startDaemon(machine, ['/usr/sbin/pgbouncer', file], user)
}

/** Starts the service of a machine. */
export async function startOne(
  { nodes, ended }: Pick<Cluster, 'nodes' | 'ended'>,
  node: Node,
  isPooled = node.pooler !== undefined,
): Promise<Service> {
  const settings = {
    ...settingsOf(fileOf(node, '/etc/petstore.env')),
    ...(isPooled ? settingsOf(fileOf(node, '/etc/petstore.env, with PgBouncer')) : {}),
  }
  let database = settings.PETSTORE_DATABASE as string
  for (const { address, fromServices } of nodes) {
    database = database.replace(`${address}:${isPooled ? 6432 : 5432}`, fromServices.address)
  }
  mkdirSync(node.rewrite('/var/lib/petstore'), { recursive: true })
  const service = await startService({
    env: {
      ...settings,
      PETSTORE_DATABASE: database,
      // One of them has issued the key; the campaign uses it at both.
      PETSTORE_FIRST_KEY_FILE: nodes[0].rewrite('/var/lib/petstore/first-key'),
      PETSTORE_ACCESS_LOG: 'off',
      PETSTORE_LOG_LEVEL: 'error',
      PETSTORE_SLOW_MS: '0',
      PETSTORE_WEBHOOK_HOSTS: '127.0.0.0/8',
    },
  })
  service.exited.then(({ code, stderr }) => {
    if (code !== null && code !== 0) ended.push(`a service has ended with ${code}: ${stderr}`)
  })
  return service
}

function startBalancer(machine: Machine): Daemon {
  const server = writeFile(machine, '/etc/nginx/conf.d/petstore.conf')
  const main = `pid ${machine.folder}/nginx.pid; error_log ${machine.folder}/nginx.log;
    events { worker_connections 1024; } http { access_log off; include ${server}; }`
  const file = writeFile(machine, '/etc/nginx/nginx.conf', undefined, main)
  return startDaemon(machine, ['/usr/sbin/nginx', '-c', file, '-g', 'daemon off;'])
}

async function stopDatabase(node: Node): Promise<void> {
  await stopAll([node.patroni, ...(node.pooler ? [node.pooler] : [])])
  signalAll(serverPids(node), 'SIGKILL')
}

async function stopAll(daemons: readonly Daemon[]): Promise<void> {
  await Promise.all(daemons.map((daemon) => daemon.signal('SIGKILL')))
}

/** What the Patroni of a machine says; nothing while it does not respond. */
async function membersAt({ address }: Machine): Promise<Member[]> {
  try {
    const response = await fetch(`http://${address}:8008/cluster`, {
      signal: AbortSignal.timeout(2_000),
    })
    return ((await response.json()) as { members: Member[] }).members
  } catch {
    return []
  }
}

/** Waits until both machines know one primary and its synchronous standby. Returns their timeline. */
export async function untilWhole({ nodes }: Pick<Cluster, 'nodes'>): Promise<number> {
  let timeline = 0
  await until(async () => {
    const views = await Promise.all(nodes.map(membersAt))
    const all = views.flat()
    timeline = all[0]?.timeline ?? 0
    const roles = views.map((view) =>
      view
        .map(({ role }) => role)
        .sort()
        .join(),
    )
    return (
      roles.every((one) => one === 'leader,sync_standby') &&
      all.every((one) => one.timeline === timeline && /^(?:running|streaming)$/.test(one.state))
    )
  }, changeMaxMs)
  return timeline
}

/** Waits until the Patroni of a machine says that this one is the primary. */
export async function untilLeads(node: Node): Promise<void> {
  await until(async () => {
    await sleep(100)
    const members = await membersAt(node)
    return members.some(
      ({ name, role, state }) => name === node.name && role === 'leader' && state === 'running',
    )
  }, changeMaxMs)
}

/** The machine of the primary, in a fleet that is whole. */
export async function leaderOf({ nodes }: Pick<Cluster, 'nodes'>): Promise<Node> {
  const members = await membersAt(nodes[0])
  const leader = members.find(({ role }) => role === 'leader')?.name
  return nodes.find(({ name }) => name === leader) as Node
}

export function otherOf({ nodes: [first, second] }: Pick<Cluster, 'nodes'>, node: Node): Node {
  return node === first ? second : first
}
