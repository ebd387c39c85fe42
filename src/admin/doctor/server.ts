import type { ServerFacts } from '../../db/postgres/server-facts.ts'
import { error, type Finding, ok, warning } from './finding.ts'
import { listed, size } from './quantities.ts'

/** The ends of support, by major version (postgresql.org/support/versioning). */
const supportEnds: Readonly<Record<number, string>> = {
  13: '2025-11-13',
  14: '2026-11-12',
  15: '2027-11-11',
  16: '2028-11-09',
  17: '2029-11-08',
  18: '2030-11-14',
}
const [oldest, newest] = [15, 18]

/** Two billion transactions after the last freeze, the server refuses writes. */
const transactionsMax = 2e9
const keptLogMaxBytes = 1e9

/** Whether the server keeps what it acknowledged, and stays able to. */
export function checkServer(facts: ServerFacts & { todayMs: number }): Finding[] {
  return [
    checkVersion(facts),
    checkEncoding(facts),
    ...checkDurability(facts),
    checkChecksums(facts),
    checkStandbys(facts),
    ...checkUpkeep(facts),
  ].filter((finding) => finding !== undefined)
}

function checkVersion({ versionNumber, todayMs }: ServerFacts & { todayMs: number }): Finding {
  const major = Math.floor(versionNumber / 10_000)
  const version = `PostgreSQL ${major}.${versionNumber % 10_000}`
  const end = supportEnds[major]
  if (major < oldest || (end !== undefined && Date.parse(end) < todayMs)) {
    return warning(
      'version',
      `${version} gets no more fixes${end === undefined ? '' : ` since ${end}`}. Upgrade the server to ${newest}.`,
    )
  }
  if (major > newest) {
    return ok('version', `${version}, which is newer than those this program was tried with.`)
  }
  return ok('version', `${version}, supported until ${end}.`)
}

function checkEncoding({ encoding }: ServerFacts): Finding | undefined {
  if (encoding === 'UTF8') return undefined
  return error(
    'encoding',
    `The encoding of the database is ${encoding}, so a start refuses it. Create another one with encoding 'UTF8'.`,
  )
}

function checkDurability({ settings, version }: ServerFacts): Finding[] {
  const findings: Finding[] = []
  if (settings.fsync === 'off') {
    findings.push(
      error(
        'fsync',
        'fsync is off: a crash of the server loses acknowledged data, so a start refuses it. Set fsync = on.',
      ),
    )
  }
  if (settings.full_page_writes === 'off') {
    findings.push(
      warning(
        'fullPageWrites',
        'full_page_writes is off: a crash of the server can damage pages, unless its file system writes them at once (ZFS). Set full_page_writes = on.',
      ),
    )
  }
  const method = settings.wal_sync_method ?? 'unknown'
  if (/darwin|windows|mingw|visual/i.test(version) && method !== 'fsync_writethrough') {
    findings.push(
      warning(
        'walSyncMethod',
        `wal_sync_method is ${method}, which on this system does not reach the disk. Set wal_sync_method = fsync_writethrough.`,
      ),
    )
  }
  const commit = settings.synchronous_commit ?? 'unknown'
  if (commit === 'off' || commit === 'local') {
    findings.push(
      warning(
        'synchronousCommit',
        `synchronous_commit is ${commit}. The service sets it on for its own sessions; set it for the database, so that other programs do not lose writes.`,
      ),
    )
  }
  if (findings.length > 0) return findings
  return [
    ok(
      'durability',
      `Commits are synced: fsync is on, synchronous_commit is ${commit}, wal_sync_method is ${method}. How long a sync takes can be measured on the server alone (pg_test_fsync).`,
    ),
  ]
}

function checkChecksums({ settings }: ServerFacts): Finding {
  if (settings.data_checksums === 'on') return ok('checksums', 'Pages have checksums.')
  return warning(
    'checksums',
    'Pages have no checksums: damage of the disk goes unnoticed. Stop the server, run pg_checksums --enable, start it.',
  )
}

function checkStandbys({ standbys, settings }: ServerFacts): Finding | undefined {
  if (standbys === 0) return undefined
  const count = `${standbys} ${standbys === 1 ? 'standby is' : 'standbys are'} connected`
  if (settings.synchronous_standby_names) return ok('standbys', `${count}, and commits wait.`)
  return warning(
    'standbys',
    `${count}, and commits do not wait for them: a failover loses what a standby did not have. Set synchronous_standby_names, or accept the loss.`,
  )
}

function checkUpkeep({
  settings,
  transactionsAge,
  preparedTransactions,
  idleSlots,
}: ServerFacts): Finding[] {
  const findings: Finding[] = []
  if (settings.autovacuum === 'off') {
    findings.push(
      warning(
        'autovacuum',
        'autovacuum is off: tables grow, and in the end the server refuses writes. Set autovacuum = on.',
      ),
    )
  }
  if (transactionsAge > transactionsMax / 2) {
    const raise = transactionsAge > transactionsMax * 0.9 ? error : warning
    const used = Math.floor((transactionsAge / transactionsMax) * 100)
    findings.push(
      raise(
        'transactionIds',
        `${used} % of the transaction ids are used; with none left the server refuses writes. Run vacuum (freeze), and look what holds back autovacuum.`,
      ),
    )
  }
  if (preparedTransactions > 0) {
    findings.push(
      warning(
        'preparedTransactions',
        `${preparedTransactions} prepared transactions are open, which this service does not use: they hold locks. Look at pg_prepared_xacts, and end them.`,
      ),
    )
  }
  const large = idleSlots.filter(({ bytes }) => bytes > keptLogMaxBytes)
  if (large.length > 0) {
    const names = listed(large.map(({ name, bytes }) => `${name} (${size(bytes)})`))
    findings.push(
      warning(
        'replicationSlots',
        `Nobody reads the replication slots ${names}, and the server keeps its log for them until the disk is full. Drop them, or start what reads them.`,
      ),
    )
  }
  return findings
}
