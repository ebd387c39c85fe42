import assert from 'node:assert/strict'
import { it } from 'node:test'
import { DamagedRow } from './damaged-row.ts'
import { column, defineRecord } from './records.ts'

type Toy = { id: bigint; size: number; isBig: boolean; soldAt?: string; tags?: string[] }

const toys = defineRecord<Toy>('toys', {
  id: column.id,
  size: column.named('size_cm', column.number(1, 99)),
  isBig: { derive: ({ size }) => size > 50 },
  soldAt: column.optional(column.instant),
  tags: column.optional(column.list((tag) => typeof tag === 'string')),
})

it('members are read from their columns in the declared order; null is an absent member', () => {
  assert.equal(toys.columns, 'id, size_cm, sold_at, tags')
  const big = toys.itemOf([7n, 60n, 0n, '["red"]'])
  assert.equal(
    JSON.stringify({ ...big, id: '7' }),
    '{"id":"7","size":60,"isBig":true,"soldAt":"1970-01-01T00:00:00.000Z","tags":["red"]}',
  )
  assert.deepEqual(toys.itemOf([8n, 50n, null, null]), { id: 8n, size: 50, isBig: false })
})

it('a row with unsound values is damaged; all of their columns are named', () => {
  for (const [row, columns] of [
    [[7n, 100n, 0n, '[]'], 'size_cm'],
    [[7n, null, 'soon', '[1]'], 'size_cm, sold_at, tags'],
    [[0n, 1n], 'id, sold_at, tags'],
  ] as const)
    assert.throws(
      () => toys.itemOf([...row]),
      (error) => error instanceof DamagedRow && error.columns === columns,
    )
})
