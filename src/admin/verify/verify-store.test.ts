import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Check } from '../../db/storage.ts'
import { verifyStore } from './verify-store.ts'

const scan = (name: string) => ({ name, run: async () => [] })
const check = (name: string): Check => ({ name, promise: name, scan: scan(name) })
const finding = { record: null, message: 'NULL value in pets.name', repair: null }

/** The results of checks whose scans do this. */
async function resultsOf(...scans: (() => unknown)[]) {
  const db = { scan: async ({ name }: { name: string }) => scans[Number(name)]?.() as never }
  return Array.fromAsync(
    verifyStore(
      { db },
      scans.map((_, index) => check(String(index))),
    ),
  )
}

const fails = (message: string) => () => {
  throw new Error(`A statement failed: ${message}\n    at somewhere`)
}

it('a check that fails on a damaged row, or on a damaged schema, is a finding that forbids repairs', async () => {
  const afterFinding = await resultsOf(() => [finding], fails('TypeError: name is null'))
  const withoutColumn = await resultsOf(fails('Error: no such column: hint'))

  for (const results of [afterFinding, withoutColumn]) {
    const last = results.at(-1)?.findings[0]
    assert.match(last?.message ?? '', /^This check failed: A statement failed: \w*Error: [^\n]*$/)
    assert.equal(last?.forbidsRepairs, true)
  }
  await assert.rejects(
    resultsOf(() => [], fails('TypeError: a bug')),
    /a bug/,
  )
})
