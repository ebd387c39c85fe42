import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareVariants, isCheapToObserve } from '../../bench/compare.ts'
import { variantsTable } from '../../bench/report/tables.ts'
import { observed } from '../../bench/workloads.ts'
import { someResults, windowsOf } from './some-results.ts'

function observe(ourUs: number) {
  const windows = {
    'same page': {
      ours: windowsOf({ processorUs: 20 }),
      'ours, observed': windowsOf({ processorUs: ourUs }),
      'Fastify + node:sqlite': windowsOf({ processorUs: 80 }),
      'Fastify + node:sqlite, observed': windowsOf({ processorUs: 120 }),
    },
  }
  return compareVariants({ ...someResults(), windows }, observed)
}

it('each server is compared with itself; only ours has to stay within a fifth', () => {
  const [within, beyond] = [observe(24), observe(24.1)]

  assert.match(
    variantsTable('with log and metrics', within),
    /same page +\| ours +\| 20\.0 +\| 24\.0 +\| 1\.200 .*\n.*Fastify.*1\.500/,
  )
  assert.deepEqual([within.every(isCheapToObserve), beyond.every(isCheapToObserve)], [true, false])
})

it('what was measured without its other half is left out', () => {
  assert.deepEqual(compareVariants(someResults(), observed), [])
})
