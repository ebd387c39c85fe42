import assert from 'node:assert/strict'
import { it } from 'node:test'
import { storage } from '../../features/pets/storage.ts'
import type { Row, ScanSql } from '../db.ts'
import { generatedColumnsCheck } from './generated-columns.ts'

/** A connection to a table with one row: its columns in the order of the migrations, generated ones last. */
function holding(row: Row): ScanSql {
  const results = [[[1n]], [row], [[null]]]
  return { all: () => results.shift() ?? [] } as unknown as ScanSql
}

it("a row that violates its table's checks is a finding, and verify continues", async () => {
  const row = [1n, null, 'rex', 7n, 'available', 1n, 0n, 'available', '{}']

  const findings = await generatedColumnsCheck(storage.tables).scan.run(
    holding(row),
    undefined,
    () => undefined,
  )

  assert.equal(findings.length, 1)
  assert.match(findings[0]?.message ?? '', /^Row 1 of pets violates the table: .*NOT NULL/)
})
