import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Sql } from '../db.ts'
import { type Step, stepsOf } from './steps.ts'

it('a walk over a damaged table, whose rows are out of order, ends', async () => {
  const lasts = [7n, 3n, 7n]
  const sql = { all: () => [[lasts.shift() ?? 7n]] } as unknown as Sql
  const steps: Step[] = []

  for await (const step of stepsOf(sql, 'pets', () => undefined)) steps.push(step)

  assert.deepEqual(
    steps.map(({ last }) => last),
    [7n],
  )
})
