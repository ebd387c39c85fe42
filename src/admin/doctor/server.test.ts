import assert from 'node:assert/strict'
import { it } from 'node:test'
import { itInFull } from '../../../test/harness/extent.ts'
import { expectFindings } from '../../../test/harness/findings.ts'
import type { HostFacts, ServerFacts } from '../../db/postgres/look.ts'
import { groupOf } from './examine.ts'
import { findingsOf } from './finding.ts'
import { connectionsChecks, hostChecks, serverChecks } from './server.ts'

const server: ServerFacts = {
  versionNumber: 180_004,
  hasChecksums: true,
  issues: [],
  connections: { max: 100, reserved: 3, own: 16, others: 4, roleMax: -1, databaseMax: -1 },
  replication: { standbys: 0 },
  mayMigrate: true,
}

itInFull('doctor reports each fault of the server, and none where there is none', () =>
  expectFindings(serverChecks, server, [
    [
      { issues: [{ isFatal: true, sentence: 'fsync is off' }] },
      'error',
      /^A start refuses this server: fsync is off\. Correct that\.$/,
    ],
    [
      { issues: [{ isFatal: false, sentence: 'pages are off' }] },
      'warning',
      /: pages are off\. Turn/,
    ],
    [{ hasChecksums: false }, 'warning', /no checksums.*pg_checksums/],
    [
      { replication: { standbys: 0, problem: 'No standby is connected.' } },
      'warning',
      /^No standby is connected\. Start a standby/,
    ],
    [{ replication: { standbys: 1, synchronousStandbys: 1, behindBytes: 0 } }],
    [{ delay: 'Session 7 delays events. End it.' }, 'warning', /^Session 7 delays events\. End/],
  ]),
)

const { connections } = server
const limited = (change: Partial<ServerFacts['connections']>) => ({
  connections: { ...connections, ...change },
})

const ofProcesses = (facts: ServerFacts): ServerFacts & { processes?: number | undefined } => facts

it('doctor reports each fault of connections, and none where there is none', () =>
  expectFindings(connectionsChecks, ofProcesses(server), [
    [
      limited({ others: 81 }),
      'error',
      /^Of 100 connections 3 are reserved and 81 .*: too few for one/,
    ],
    [limited({ max: 10, others: 40 }), 'error', /too few for one process, which opens up to 17\./],
    [limited({ others: 70 }), 'warning', /enough for one process of 17, not for a second one/],
    [limited({ roleMax: 20 }), 'warning', /the limit is 20 for the role: enough for one/],
    [limited({ databaseMax: 5 }), 'error', /the limit is 5 for the database: too few/],
    [limited({ roleMax: 40, databaseMax: 50 })],
    [{ processes: 5 }],
    [{ ...limited({ others: 50 }), processes: 8 }],
    [
      { ...limited({ others: 57 }), processes: 8 },
      'warning',
      /enough for 8 processes of 5, not for a further one/,
    ],
    [
      { ...limited({ others: 58 }), processes: 8 },
      'error',
      /too few for 8 processes, each of which opens up to 5\./,
    ],
  ]))

const primary: HostFacts = { name: 'one:5432', role: 'primary' }
const hosts = (change: Partial<HostFacts>, others: readonly HostFacts[] = []) => ({
  hosts: [{ name: 'two:5432', role: 'unreachable' as const, problem: 'no', ...change }, ...others],
})

it('doctor reports each fault of hosts, and none where there is none', () =>
  expectFindings(hostChecks, { hosts: [primary] }, [
    [
      hosts({ code: 'ECONNREFUSED' }, [primary]),
      'warning',
      /^two:5432 does not let us in: no\. Start the/,
    ],
    [hosts({ role: 'standby' }, [primary])],
    [
      hosts({ role: 'primary' }, [primary]),
      'error',
      /^two:5432 and one:5432 accept writes: all but one were deposed/,
    ],
  ]))

const remedies: [code: string, remedy: RegExp][] = [
  ['28P01', /Correct the user and the password/],
  ['3D000', /Create the database/],
  ['53300', /Raise max_connections/],
  ['ENOTFOUND', /Correct the host/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /certificate/],
  ['ECONNREFUSED', /Start the server/],
]
for (const [code, remedy] of remedies) {
  it(`error: no host lets us in with ${code}, and what to do`, () => {
    const [host, none] = findingsOf(hostChecks, hosts({ code }))
    assert.deepEqual([host?.level, none?.level], ['error', 'error'])
    assert.match(host?.message ?? '', remedy)
    assert.match(none?.message ?? '', /^No host accepts writes, so a start fails\. /)
  })
}

const link = { host: 'db.example:5432', isEncrypted: true, isVerified: true, protocol: 'TLSv1.3' }
const open = { ...link, isEncrypted: false }

it('doctor reports each fault of the link, and none where there is none', () =>
  expectFindings(hostChecks, { hosts: [primary], link }, [
    [
      { link: { ...link, isVerified: false } },
      'warning',
      /the certificate is not checked: another machine can pose/,
    ],
    [{ link: open }, 'warning', /The connection is not encrypted: .* sslmode=verify-full/],
    [{ link: { ...open, host: '127.0.0.1:5432' } }],
    [{ link: { ...open, host: '/run/postgresql' } }],
    [{ link: { ...open, host: '::1:5432' } }],
  ]))

it('error: a group that fails, and one that hangs, is a finding, and does not keep the others', async () => {
  const failed = await groupOf('disk', () => Promise.reject(new Error('EIO')))
  const late = await groupOf('disk', () => new Promise(() => undefined), 1)

  assert.deepEqual(failed.findings, [
    { check: 'disk', level: 'error', message: 'This could not be examined: EIO.' },
  ])
  assert.equal(late.isLate, true)
  assert.match(late.findings[0]?.message ?? '', /^This did not end within 0\.001 s: a disk or/)
})
