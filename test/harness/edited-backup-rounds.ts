import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { checkBackup } from '../../src/admin/backup/check-backup.ts'
import { encodeDigests, type Manifest } from '../../src/admin/backup/manifest.ts'
import { openManifest } from '../../src/admin/backup/open-backup.ts'
import { writeStore } from '../../src/admin/restore/write-store.ts'
import { storage } from '../../src/app/storage.ts'
import { formatManifest } from '../../src/cli/describe-backup.ts'
import { countFindings, describeResult } from '../../src/cli/describe-report.ts'
import { describeFailure } from '../../src/cli/messages.ts'
import { ExitError } from '../../src/config/exit-error.ts'
import { digestStore } from '../../src/db/copying/copy-store.ts'
import { copiedTables } from '../../src/db/doors/tables-at.ts'
import { OpenError } from '../../src/db/errors.ts'
import { compareSchema } from '../../src/db/sqlite/compare-schema.ts'
import { connect } from '../../src/db/sqlite/connection.ts'
import { readerOn } from '../../src/db/sqlite/copying/store-reader.ts'
import { editBackup } from './edit-backup.ts'
import { type Rounds, runRounds } from './run-rounds.ts'
import { SeededRandom } from './seeded-random.ts'

/** How `--check` or `restore` ended. */
type Ended = 'sound' | 'findings' | 'refused'
type Round = { checked: Ended; restored: Ended; ms: number }

/** A round that takes longer hangs; it normally takes some hundredth of a second. */
const roundMaxMs = 60_000

/**
 * Edits copies of a backup, checks and restores each. Throws where that ends in anything but a restored store, whose rows are those
 * of the manifest under the schema of the migrations, or a refusal; and where it does not end.
 */
export function runEditedBackups({ backup, ...rounds }: Rounds & { backup: string }) {
  return runRounds(rounds, () => editAgain(backup, rounds.seed))
}

async function* editAgain(backup: string, firstSeed: number) {
  const counts = {
    slowestMs: 0,
    'checked sound': 0,
    'checked findings': 0,
    'checked refused': 0,
    'restored sound': 0,
    'restored findings': 0,
    'restored refused': 0,
  }
  const worker = new Worker(new URL(import.meta.url), { workerData: { backup } })
  try {
    for (let seed = firstSeed; ; seed++) {
      worker.postMessage(seed)
      const [ended] = (await once(worker, 'message', {
        signal: AbortSignal.timeout(roundMaxMs),
      }).catch((cause) => {
        throw new Error(`The round with seed ${seed} does not end.`, { cause })
      })) as [Round | { failure: string }]
      if ('failure' in ended) throw new Error(`seed ${seed}: ${ended.failure}`)
      counts[`checked ${ended.checked}`] += 1
      counts[`restored ${ended.restored}`] += 1
      counts.slowestMs = Math.max(counts.slowestMs, ended.ms)
      yield counts
    }
  } finally {
    // A thread that hangs in a call does not end.
    void worker.terminate()
  }
}

async function editOnce(folder: string, backup: string, seed: number): Promise<Round> {
  const [file, store] = [join(folder, 'edited.backup'), join(folder, 'store.db')]
  for (const path of [file, `${file}-journal`, store, `${store}-wal`, `${store}-shm`]) {
    rmSync(path, { recursive: true, force: true })
  }
  copyFileSync(backup, file)
  writeFileSync(store, '')
  const done = await editBackup(file, openManifest(storage, backup), new SeededRandom(seed))
  const startMs = performance.now()
  try {
    const checked = await endOf(async () => {
      const checkedBackup = await checkBackup(storage, file, () => undefined)
      requirePrintable(formatManifest(file, checkedBackup))
      return checkedBackup.results
    })
    const restored = await endOf(async () => {
      const request = { backup: file, file: store, usedIds: {}, skippedIds: 0n }
      const { manifest, results } = await writeStore(storage, request, () => undefined)
      await requireWhole(store, manifest, openManifest(storage, backup), done)
      return results
    })
    // Of a backup with a damaged index, which is refused, the rows may be whole.
    assert.ok(checked !== 'sound' || restored === 'sound', `${checked}, but ${restored}`)
    return { checked, restored, ms: performance.now() - startMs }
  } catch (error) {
    throw new Error(`after ${done.join(', ')}`, { cause: error })
  }
}

async function endOf(work: () => Promise<Parameters<typeof countFindings>[0]>): Promise<Ended> {
  try {
    const results = await work()
    requirePrintable(results.map(describeResult).join(''))
    return countFindings(results) === 0 ? 'sound' : 'findings'
  } catch (error) {
    if (!(error instanceof OpenError) && !(error instanceof ExitError)) throw error
    assert.ok(['damaged', 'newerSchema', 'configuration', 'usage'].includes(error.reason), error)
    requirePrintable(describeFailure(error, 'restore'))
    return 'refused'
  }
}

function requirePrintable(text: string) {
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
}

/** The rows are those of the manifest: the original one, unless the edit has made another. */
async function requireWhole(
  store: string,
  manifest: Manifest,
  original: Manifest,
  done: readonly string[],
) {
  const connection = connect(store, 'immutable')
  try {
    assert.deepEqual(compareSchema(connection), [])
    const tables = copiedTables(storage, manifest.schema)
    const digests = encodeDigests(
      await digestStore(readerOn(connection, store), tables, () => undefined),
    )
    // A restored store knows of its backup, and begins a new log of events.
    const isRestored = ({ name }: { name: string }) =>
      !new Set(['last_backup', 'events', 'events_feed']).has(name)
    for (const { name } of tables.filter(isRestored)) {
      // Of a new manifest the last ids may be wrong.
      const isNew = done.includes('manifest')
      const comparable = (text = '') => (isNew ? text.split(', last id', 1)[0] : text)
      const expected = isNew ? manifest.digests[name] : original.digests[name]
      assert.equal(comparable(digests[name]), comparable(expected), name)
    }
  } finally {
    connection.close()
  }
}

if (parentPort && workerData?.backup) {
  const port = parentPort
  const folder = mkdtempSync(join(tmpdir(), 'petstore-edited-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  port.on('message', async (seed: number) => {
    const ended = await editOnce(folder, workerData.backup, seed).catch((error) => ({
      failure: `${(error as Error).message}: ${((error as Error).cause as Error | undefined)?.stack ?? (error as Error).stack}`,
    }))
    port.postMessage(ended)
  })
}
