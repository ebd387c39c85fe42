import { setTimeout as sleep } from 'node:timers/promises'
import type { Observed } from '../../consistency/creates/clients.ts'
import type { SeededRandom } from '../../harness/seeded-random.ts'
import { until } from '../../harness/until.ts'
import { signalAll } from '../../processes/process.ts'
import {
  type Cluster,
  leaderOf,
  type Node,
  otherOf,
  startOne,
  startPatroni,
  startPooler,
  untilLeads,
  untilWhole,
} from './cluster.ts'
import { requireRefused, untilEachWrites } from './deposed.ts'
import { noteCommand, runCommand, serverPids } from './machines.ts'

/** Longer than `ttl`: what lasts as long is noticed. */
const lastsMinMs = 25_000
const lastsMaxMs = 35_000

type Roles = {
  fleet: Observed
  cluster: Cluster
  primary: Node
  standby: Node
  random: SeededRandom
}

type Kind = {
  title: string
  /** How many timelines begin. More, or fewer, and something else than the fault has happened. */
  elections: 0 | 1
  etcds?: 3
  isPooled?: true
  /** Resolves once the fault is over; the fleet need not be whole yet. */
  fault(roles: Roles): Promise<void>
}

const patronictl = 'patronictl -c /etc/patroni/config.yml'

export const kinds: Record<string, Kind> = {
  killed: {
    title: 'the machine of the primary is killed',
    elections: 1,
    async fault({ primary, standby }) {
      const pids = serverPids(primary)
      await primary.patroni.signal('SIGKILL')
      signalAll(pids, 'SIGKILL')
      await untilLeads(standby)
      primary.patroni = startPatroni(primary)
    },
  },
  stopped: {
    title: 'the machine of the primary hangs (SIGSTOP), and goes on',
    elections: 1,
    async fault({ fleet, cluster, primary, standby, random }) {
      const pids = serverPids(primary)
      await primary.patroni.signal('SIGSTOP')
      signalAll(pids, 'SIGSTOP')
      await untilLeads(standby)
      await sleep(random.between(0, 5_000))
      await untilEachWrites(fleet, cluster)
      // The server first: it is not stopped by its Patroni yet.
      signalAll(pids, 'SIGCONT')
      await requireRefused(fleet, cluster, [primary, standby])
      await primary.patroni.signal('SIGCONT')
    },
  },
  'no-etcd': {
    title: 'the primary is cut off from etcd',
    elections: 1,
    async fault({ primary, standby }) {
      for (const link of primary.toEtcd) link.cut()
      await untilLeads(standby)
      for (const link of primary.toEtcd) link.restore()
    },
  },
  'no-replica': {
    title: 'the primary is cut off from its standby',
    elections: 0,
    async fault({ primary, random }) {
      primary.toPrimary.cut()
      await sleep(random.between(lastsMinMs, lastsMaxMs))
      primary.toPrimary.restore()
    },
  },
  'switch-over': {
    title: 'a switch-over on purpose',
    elections: 1,
    async fault({ cluster, standby }) {
      await runCommand(standby, `${patronictl} switchover --force`)
      await untilLeads(standby)
      await untilWhole(cluster)
      await runCommand(standby, `${patronictl} list`)
    },
  },
  'no-majority': {
    title: 'etcd has no majority',
    elections: 1,
    etcds: 3,
    async fault({ cluster, random }) {
      const lost = cluster.etcds.slice(0, 2)
      await Promise.all(lost.map(({ daemon }) => daemon.signal('SIGKILL')))
      await sleep(random.between(lastsMinMs, lastsMaxMs))
      for (const etcd of lost) etcd.daemon = etcd.start()
    },
  },
  pooler: {
    title: 'the pooler of the primary is killed, and started again',
    elections: 0,
    isPooled: true,
    async fault({ primary, random }) {
      await primary.pooler?.signal(random.next() < 0.5 ? 'SIGTERM' : 'SIGKILL')
      await sleep(random.between(0, 3_000))
      primary.pooler = startPooler(primary)
    },
  },
  service: {
    title: 'a service is killed, and started again',
    elections: 0,
    async fault({ cluster, primary, standby, random }) {
      const node = random.next() < 0.5 ? primary : standby
      await node.service.kill()
      await sleep(random.between(1_000, 3_000))
      node.service = await startOne(cluster, node)
    },
  },
  rolling: {
    title: 'the services are restarted, one after the other',
    elections: 0,
    async fault({ cluster }) {
      noteCommand('systemctl restart petstore')
      for (const node of cluster.nodes) {
        await node.service.stop()
        node.service = await startOne(cluster, node)
        const ready = await runCommand(node, 'curl -s http://ADDRESS:8080/health/ready')
        if (!ready.includes('"ready"')) throw new Error(ready)
      }
    },
  },
  maintenance: {
    title: 'the standby is restarted, then copied anew',
    elections: 0,
    async fault({ cluster, standby }) {
      await runCommand(standby, `${patronictl} restart petstore NAME --force`)
      await untilWhole(cluster)
      await runCommand(standby, `${patronictl} reinit petstore NAME --force`)
      // What it says before the copy begins is true of the old one.
      await until(() => serverPids(standby).length === 0)
    },
  },
}

/** The roles of the machines, in a fleet that is whole. */
export async function rolesIn(
  fleet: Observed,
  cluster: Cluster,
  random: SeededRandom,
): Promise<Roles> {
  const primary = await leaderOf(cluster)
  return { fleet, cluster, primary, standby: otherOf(cluster, primary), random }
}
