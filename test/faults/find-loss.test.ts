import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { frameHeaderBytes, logHeaderBytes } from '../../src/db/sqlite/loss/log-format.ts'
import { findLossAt, readFileState } from '../../src/db/sqlite/loss/read-file-state.ts'
import { readWitness } from '../../src/db/sqlite/loss/witness.ts'
import { copyStore, crashStore } from '../harness/crashed-store.ts'
import { amount } from '../harness/extent.ts'

const pets = 12
const pageBytes = 4096
const sectorBytes = 512
const frameBytes = frameHeaderBytes + pageBytes
const home = mkdtempSync(join(tmpdir(), 'petstore-judge-'))
after(() => rmSync(home, { recursive: true, force: true }))

/** The store as a kill leaves it; its copy, which a test changes. */
const sound = join(home, 'sound', 'petstore.db')
const path = join(home, 'changed', 'petstore.db')
let log: Buffer
/** The database and the witness before the last commit, and the length of the log. */
let earlier: { witness: Buffer; logBytes: number }
let databaseAtStart: Buffer

/** As another process that reads the store may. */
function emptyLog(served: string) {
  const connection = new DatabaseSync(served)
  connection.exec('pragma wal_checkpoint(truncate)')
  connection.close()
}

const properties = { numRuns: amount({ quick: 8, full: 2_000 }) }

/** The verdict on the store after this change. */
function verdictAfter(change: () => void): string | undefined {
  copyStore(sound, path)
  change()
  return findLossAt(path)?.message
}

function frames(count: number): number {
  return logHeaderBytes + count * frameBytes
}

function flip(file: string, bit: number) {
  const bytes = readFileSync(file)
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7))
  writeFileSync(file, bytes)
}

describe('the files of a store that was killed', () => {
  before(async () => {
    await crashStore(join(home, 'sound'), {
      pets,
      before(pet, served) {
        if (pet === 2) {
          emptyLog(served)
          databaseAtStart = readFileSync(served)
        }
        if (pet === 4) emptyLog(served)
        if (pet === pets) {
          const witness = readFileSync(`${served}.witness`)
          earlier = { witness, logBytes: statSync(`${served}-wal`).size }
        }
      },
    })
    log = readFileSync(`${sound}-wal`)
  })

  it('are sound, and their row of the store is as SQLite reads it', () => {
    assert.equal(
      verdictAfter(() => undefined),
      undefined,
    )

    const found = readFileState(path)
    const connection = new DatabaseSync(path)
    const rows = connection.prepare('select name, seq from sqlite_sequence').all()
    connection.close()

    assert.ok(typeof found?.log === 'object' && found.log.last)
    assert.equal(found.log.firstBad, undefined)
    const { store, commits, ids } = found.log.last
    const expected = rows.map(({ name, seq }) => [String(name), BigInt(Number(seq))] as const)
    assert.deepEqual(new Map([...Object.entries(ids), [store, commits]]), new Map(expected))
    assert.equal(ids.pets, BigInt(pets))
    const witness = readWitness(path)
    assert.deepEqual(witness.map((row) => row.commits).sort(), [commits - 1n, commits])
  })

  it('are refused after any flipped bit of the log', () => {
    const lastBit = 8 * log.length - 1
    fc.assert(
      fc.property(fc.integer({ min: 8 * logHeaderBytes, max: lastBit }), (bit) => {
        const verdict = verdictAfter(() => flip(`${path}-wal`, bit))
        assert.match(verdict ?? 'sound', /is damaged at frame|^\S+ lacks commit/)
      }),
      properties,
    )
    assert.match(
      verdictAfter(() => flip(`${path}-wal`, 90)) ?? 'sound',
      /petstore\.db lacks commits 5 to 13, which were acknowledged/,
    )
  })

  it('without a witness are refused where a later transaction follows the flipped bit', () => {
    const flipped = (frame: number) =>
      verdictAfter(() => {
        rmSync(`${path}.witness`)
        flip(`${path}-wal`, 8 * (frames(frame) + 1000))
      })
    const count = (log.length - logHeaderBytes) / frameBytes

    assert.match(
      flipped(3) ?? 'sound',
      /petstore\.db-wal, the log of \S+, is damaged at frame 4 of/,
    )
    assert.equal(flipped(count - 1), undefined)
  })

  it('are refused once the log is cut, empty or deleted', () => {
    const cut = (change: () => void) => verdictAfter(change) ?? 'sound'

    assert.match(
      cut(() => truncateSync(`${path}-wal`, frames(8))),
      /petstore\.db lacks commits \d+ to \d+, which were/,
    )
    assert.match(
      cut(() => truncateSync(`${path}-wal`, log.length - 1)),
      /petstore\.db lacks commit \d+, which was/,
    )
    assert.match(
      cut(() => truncateSync(`${path}-wal`, 0)),
      /petstore\.db lacks commits \d+ to \d+, which were/,
    )
    assert.match(
      cut(() => rmSync(`${path}-wal`)),
      /petstore\.db lacks commits \d+ to \d+, which were/,
    )
  })

  it('are refused where the database is older than its log', () => {
    const verdict = verdictAfter(() => writeFileSync(path, databaseAtStart))

    assert.match(
      verdict ?? 'sound',
      /do not belong together: the file ends with commit \d, the log begins with commit \d\./,
    )
  })

  it('are sound after a power cut that tears the last commit, whatever sectors of it reached the disk', () => {
    const firstSector = Math.floor(earlier.logBytes / sectorBytes)
    const sectors = Math.ceil(log.length / sectorBytes) - firstSector
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: sectors, maxLength: sectors }), (kept) => {
        const verdict = verdictAfter(() => {
          const bytes = Buffer.from(log)
          kept.forEach((isKept, sector) => {
            const start = (firstSector + sector) * sectorBytes
            const end = Math.min(start + sectorBytes, log.length)
            if (!isKept) bytes.fill(0, Math.max(start, earlier.logBytes), end)
          })
          writeFileSync(`${path}-wal`, bytes)
          writeFileSync(`${path}.witness`, earlier.witness)
        })
        assert.equal(verdict, undefined)
      }),
      properties,
    )
  })

  it('are sound with a witness that is unreadable or missing', () => {
    for (const change of [
      () => truncateSync(`${path}.witness`, 0),
      () => rmSync(`${path}.witness`),
      () => writeFileSync(`${path}.witness`, 'x'.repeat(1024)),
    ]) {
      assert.equal(verdictAfter(change), undefined)
    }
  })
})
