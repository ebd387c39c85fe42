import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Row } from '../../../db/db.ts'
import { requireUnlikeNames } from './queries.ts'

const alike = (count: number) => Array.from({ length: count }, (_, at): Row => [BigInt(at), 'Cats'])

const check = (rows: readonly Row[]) =>
  requireUnlikeNames({ all: async () => rows as never }, 'pets.db')

it('an early store whose names of categories are alike is refused; ten of them are listed', async () => {
  await check([])
  await assert.rejects(check(alike(10)), /"Cats" \(id 9\)\. Nothing was changed\./)
  await assert.rejects(check(alike(12)), /"Cats" \(id 9\) and 2 more\. Nothing was changed\./)
})
