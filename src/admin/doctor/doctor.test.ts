import assert from 'node:assert/strict'
import { it } from 'node:test'
import { expectFindings } from '../../../test/harness/findings.ts'
import { loadConfig } from '../../config/config.ts'
import type { Environment } from '../../config/settings.ts'
import { readAddress } from '../../db/postgres/address.ts'
import { diskChecks } from './disk.ts'
import { recordsChecks } from './records.ts'
import { serverChecks } from './server.ts'
import { settingsChecks } from './settings.ts'

const hourMs = 3_600_000
const nowMs = Date.UTC(2026, 11, 5)

function settingsOf(environment: Record<string, string>) {
  return { limitsPath: '/no/limits', ...loadConfig({}, environment) }
}

it('doctor reports each fault of settings, and none where there is none', () =>
  expectFindings(settingsChecks, settingsOf({}), [
    [settingsOf({ PETSTORE_DATABSE: 'x' }), 'warning', /did you mean PETSTORE_DATABASE\? Correct/],
    [settingsOf({ PETSTORE_DATABASE: 'sqlite::memory:' }), 'error', /in memory: all data is gone/],
    [
      settingsOf({ PETSTORE_HOST: '0.0.0.0' }),
      'warning',
      /0\.0\.0\.0 without TLS.*PUBLIC_URL is not/,
    ],
    [settingsOf({ PETSTORE_PUBLIC_URL: 'http://a.example/v1' }), 'warning', /keys without TLS/],
    [settingsOf({ PETSTORE_HOST: '0.0.0.0', PETSTORE_PUBLIC_URL: 'https://a.example/v1' })],
    [settingsOf({ PETSTORE_ENVIRONMENT: 'staging', PETSTORE_HOST: '::' })],
    [settingsOf({ PETSTORE_ENVIRONMENT: 'staging', PETSTORE_DATABASE: 'sqlite::memory:' })],
    // Only Linux tells the limit.
    ...(process.platform === 'linux' ? [tooFewFiles] : []),
  ]))

const manyConnections = { ...settingsOf({}).config, connectionsMax: 2_000_000_000 }
const tooFewFiles: [Partial<ReturnType<typeof settingsOf>>, 'warning', RegExp] = [
  { config: manyConnections, limitsPath: '/proc/self/limits' },
  'warning',
  /may open \d+ files, too few for \d+ connections .*ulimit -n/,
]

const disk = {
  folder: '/data',
  fileSystem: 61267,
  freeBytes: 50e9,
  storeBytes: 1e9,
  sync: { medianMs: 3 } as { medianMs: number } | { problem: string },
}
const [tmpfs, nfs, overlay] = [16914836, 26985, 2035054128]

it('doctor reports each fault of the disk, and none where there is none', () =>
  expectFindings(diskChecks, disk, [
    [{ sync: { medianMs: 0.02 } }, 'error', /takes 0\.02 ms, less than any disk needs/],
    [{ sync: { medianMs: 80 } }, 'warning', /takes 80\.00 ms, and each create waits/],
    [{ sync: { problem: 'EACCES' } }, 'warning', /could not be measured in \/data: EACCES\. Run/],
    [{ fileSystem: tmpfs, sync: { medianMs: 0.001 } }, 'warning', /in memory: all data is gone/],
    [{ fileSystem: nfs }, 'warning', /a file system of the network/],
    [{ fileSystem: overlay }, 'warning', /the layer of a container/],
    [{ freeBytes: 1e6 }, 'error', /^1 MB are free in \/data; .* writes soon get 503/],
    [{ freeBytes: 0.5e9 }, 'warning', /^500 MB are free in \/data; the store has 1,000 MB: a ba/],
  ]))

it('doctor reports each fault of deliveries and backups, and none where there is none', () => {
  const madeAt = (hours: number) => ({ madeAt: BigInt(nowMs - hours * hourMs), file: '/b/1' })
  const sound = {
    ...{ failed: 0, pruned: 0 },
    environment: 'production' as Environment,
    nowMs,
    last: madeAt(25) as ReturnType<typeof madeAt> | undefined,
    open: () => {},
  }
  const open = () => assert.fail('It is gone.')
  return expectFindings(recordsChecks, sound, [
    [{ failed: 3 }, 'warning', /that have failed: 3; .*status=failed/],
    [{ pruned: 7 }, 'warning', /beyond PETSTORE_DELIVERIES_MAX: 7\. /],
    [{ last: undefined }, 'warning', /No backup of this store was made .* Make one daily/],
    [{ last: madeAt(72) }, 'warning', /^The last backup is 72 hours old: \/b\/1\. Find out why/],
    [{ last: madeAt(-72) }, 'warning', /is -72 hours old: \/b\/1\. The clock was ahead then/],
    [{ last: undefined, environment: 'staging' }],
    [{ open }, 'warning', /old: \/b\/1\. It cannot be used: It is gone\. Make another\./],
  ])
})

const server = {
  version: 180_004,
  ...{ max: 100, reserved: 3, own: 16, others: 4, roleMax: -1, databaseMax: -1 },
  address: readAddress('postgres://db.example/shop?sslmode=verify-full'),
  replication: { primary: 'db.example:5432', standbys: 0 } as { problem?: string } & {
    primary: string
    standbys: number
  },
  processes: undefined as number | undefined,
}
const addressOf = (text: string) => ({ address: readAddress(`postgres://${text}`) })

it('doctor reports each fault of PostgreSQL, and none where there is none', () =>
  expectFindings(serverChecks, server, [
    [
      { replication: { ...server.replication, problem: 'No standby is connected.' } },
      'warning',
      /^No standby is connected\. Start a standby/,
    ],
    [addressOf('db.example/shop?sslmode=no-verify'), 'warning', /certificate .* is not checked/],
    [addressOf('127.0.0.1,db.example/shop'), 'warning', /not encrypted: .* sslmode=verify-full/],
    [addressOf('127.0.0.1/shop')],
    [addressOf('%2Frun%2Fpostgresql/shop')],
    [{ others: 81 }, 'error', /^Of 100 connections 3 are reserved and 81 .* up to 17, not for 1\./],
    [{ max: 10, others: 40 }, 'error', /enough for 0 processes of up to 17, not for 1\./],
    [{ others: 70 }, 'warning', /enough for 1 processes of up to 17, not for a further one/],
    [{ roleMax: 20 }, 'warning', /the role or the database may have 20: enough for 1 processes/],
    [{ databaseMax: 5 }, 'error', /the role or the database may have 5: enough for 0 processes/],
    [{ roleMax: 40, databaseMax: 50 }],
    [{ processes: 5 }],
    [{ others: 50, processes: 8 }],
    [{ others: 57, processes: 8 }, 'warning', /enough for 8 processes of up to 5, not for a furth/],
    [{ others: 58, processes: 8 }, 'error', /enough for 7 processes of up to 5, not for 8\./],
  ]))
