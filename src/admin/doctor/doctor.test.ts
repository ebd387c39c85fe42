import { it } from 'node:test'
import { expectFindings } from '../../../test/harness/findings.ts'
import { loadConfig } from '../../config/config.ts'
import { type DiskFacts, diskChecks } from './disk.ts'
import type { Level } from './finding.ts'
import { type ProgramFacts, programChecks, settingsChecks } from './machine.ts'
import { backupChecks, type StoreFacts, storeChecks } from './store.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const nowMs = Date.UTC(2026, 11, 5)

/** Only Linux tells the limit. */
const tooFewFiles: [Partial<ProgramFacts>, Level, RegExp] = [
  { connectionsMax: 2_000_000_000, limitsPath: '/proc/self/limits' },
  'warning',
  /may open \d+ files, too few for 2000000000 connections .*ulimit -n/,
]

it('doctor reports each fault of the program, and none where there is none', () =>
  expectFindings(
    programChecks,
    {
      versions: { petstore: '1.0.0', node: '26.10.0', sqlite: '3.53.4' },
      connectionsMax: 1_000,
      limitsPath: '/no/limits',
    },
    [
      [
        { versions: { petstore: '1.0.0', node: '26.0.0', sqlite: '3.51.2' } },
        'error',
        /^SQLite 3\.51\.3 or newer is needed; this Node carries 3\.51\.2\. Install/,
      ],
      ...(process.platform === 'linux' ? [tooFewFiles] : []),
    ],
  ))

function settingsOf(environment: Record<string, string>) {
  return loadConfig({}, environment)
}

it('doctor reports each fault of settings, and none where there is none', () =>
  expectFindings(settingsChecks, settingsOf({}), [
    [settingsOf({ PETSTORE_DATABSE: 'x' }), 'warning', /did you mean PETSTORE_DATABASE\? Correct/],
    [settingsOf({ PETSTORE_DATABASE: 'sqlite::memory:' }), 'error', /in memory: all data is gone/],
    [settingsOf({ PETSTORE_PROCESSES: '2' }), 'error', /served by one process, not by 2\. Leave/],
    [settingsOf({ PETSTORE_PROCESSES: '1' })],
    [settingsOf({ PETSTORE_PROCESSES: '2', PETSTORE_DATABASE: 'postgres://127.0.0.1/shop' })],
    [
      settingsOf({ PETSTORE_HOST: '0.0.0.0' }),
      'warning',
      /0\.0\.0\.0 without TLS.*PUBLIC_URL is not/,
    ],
    [settingsOf({ PETSTORE_PUBLIC_URL: 'http://a.example/v1' }), 'warning', /keys without TLS/],
    [settingsOf({ PETSTORE_HOST: '0.0.0.0', PETSTORE_PUBLIC_URL: 'https://a.example/v1' })],
    [settingsOf({ PETSTORE_ENVIRONMENT: 'staging', PETSTORE_HOST: '::' })],
    [settingsOf({ PETSTORE_ENVIRONMENT: 'staging', PETSTORE_DATABASE: 'sqlite::memory:' })],
  ]))

const disk: DiskFacts = {
  environment: 'production',
  folder: '/data',
  fileSystem: 'ext4',
  freeBytes: 50e9,
  freeFiles: 1_000,
  storeBytes: 1e9,
  syncs: { timesMs: [1, 3, 900] },
}

it('doctor reports each fault of the disk, and none where there is none', () =>
  expectFindings(diskChecks, disk, [
    [{ syncs: { timesMs: [0.001, 0.002, 5] } }, 'error', /takes 2 µs, less than any disk needs/],
    [{ syncs: { timesMs: [0.02, 0.02, 5] } }, 'error', /takes 20 µs, less than any disk needs/],
    [{ syncs: { timesMs: [70, 80, 90] } }, 'warning', /takes 80 ms, and each create waits/],
    [{ syncs: { problem: 'EACCES' } }, 'warning', /could not be measured in \/data: EACCES\. Run/],
    [{ fileSystem: 'tmpfs', syncs: { timesMs: [0.001] } }, 'error', /tmpfs, which is memory/],
    [
      { fileSystem: 'tmpfs', syncs: { timesMs: [0.001] }, environment: 'staging' },
      'warning',
      /tmpfs, which is memory/,
    ],
    [{ fileSystem: 'nfs' }, 'warning', /a file system of the network/],
    [{ fileSystem: 'overlay' }, 'warning', /the layer of a container/],
    [{ freeBytes: 1e6 }, 'error', /^1 MB are free in \/data: writes soon get 503/],
    [
      { freeBytes: 0.5e9 },
      'warning',
      /^500 MB are free in \/data, less than the store has \(1 GB\)/,
    ],
    [{ freeFiles: 0 }, 'error', /no further file \(inodes\)/],
    [{ freeFiles: undefined, fileSystem: undefined }],
  ]))

const store: StoreFacts = {
  engine: 'sqlite',
  environment: 'production',
  name: '/data/pets.db',
  state: 'readable',
  pending: [],
  contents: {
    owner: 'production',
    keys: { valid: 1, issued: 2 },
    webhooks: { count: 0, paused: 0 },
    lastBackup: undefined,
  },
}

const withWebhooks = (webhooks: { count: number; paused: number }) => ({
  ...{ owner: 'production', keys: { valid: 1, issued: 1 }, lastBackup: undefined },
  webhooks,
})

it('doctor reports each fault of the store, and none where there is none', () =>
  expectFindings(storeChecks, store, [
    [
      { state: 'missing' },
      'warning',
      /There is no store at \/data\/pets\.db; a start creates a new/,
    ],
    [{ state: 'missing', problem: 'No folder. Create it.' }, 'error', /No folder/],
    [{ state: 'unreadable', problem: 'Broken. Restore.' }, 'error', /Broken/],
    [
      { pending: ['0012_a', '0013_b'] },
      'warning',
      /older version.*\(0012_a and 0013_b\)\. Take a b/,
    ],
    [
      {
        contents: {
          owner: 'staging',
          keys: { valid: 1, issued: 1 },
          webhooks: { count: 0, paused: 0 },
          lastBackup: undefined,
        },
      },
      'error',
      /holds the data of staging, and this is production/,
    ],
    [
      {
        contents: {
          owner: undefined,
          keys: { valid: 0, issued: 3 },
          webhooks: { count: 0, paused: 0 },
          lastBackup: undefined,
        },
      },
      'warning',
      /No key is valid: nobody can use the service\. Issue one/,
    ],
    [
      {
        contents: {
          owner: undefined,
          keys: { valid: 0, issued: 0 },
          webhooks: { count: 0, paused: 0 },
          lastBackup: undefined,
        },
      },
    ],
    [{ contents: withWebhooks({ count: 2, paused: 0 }) }],
    [
      { contents: withWebhooks({ count: 2, paused: 2 }) },
      'warning',
      /backups hold the secrets of 2 webhooks: .* Nothing is sent.*petstore webhooks resume/,
    ],
    [{ servedBy: 'process 7', logBytes: 4e6 }],
    [{ logBytes: 4e6 }, 'warning', /did not stop cleanly, and a log of 4 MB is left/],
    [{ servedBy: 'process 7', logBytes: 2e9 }, 'warning', /has 2 GB: a long read keeps it/],
  ]))

it('doctor reports each fault of backups, and none where there is none', () =>
  expectFindings(
    backupChecks,
    {
      environment: 'production',
      nowMs,
      last: { madeAtMs: nowMs - 25 * hourMs, file: '/b/1' },
      file: { bytes: 4e6 },
    },
    [
      [{ last: undefined }, 'warning', /No backup of this store was made .* Make one daily/],
      [
        { last: { madeAtMs: nowMs - 3 * dayMs, file: '/b/1' } },
        'warning',
        /^The last backup is 3 days old: \/b\/1\. Find out why/,
      ],
      [
        { last: { madeAtMs: nowMs + 3 * dayMs, file: '/b/1' } },
        'warning',
        /^The last backup has a time that is 3 days ahead: \/b\/1\. .* Run petstore backup\.$/,
      ],
      [{ last: undefined, environment: 'staging' }],
      [
        { file: { problem: 'It is gone.' } },
        'warning',
        /^The last backup is .*: \/b\/1\. It is gone/,
      ],
    ],
  ))
