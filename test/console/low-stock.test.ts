import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Order } from '../../client/src/generated/records.ts'
import { listLowStock } from '../../console/src/overview/low-stock.ts'

const order = (id: number, petId: number, quantity = 1): Order => ({
  id,
  petId,
  quantity,
  status: 'pending',
  complete: false,
  createdAt: '2026-11-22T14:03:00.000Z',
})
it('what is running out has few or none left to sell, and existed more than once', () => {
  const stock = [
    { petId: 1, quantity: 1, status: 'pending' },
    { petId: 2, quantity: 10, status: 'available' },
    { petId: 3, quantity: 3, status: 'pending' },
    { petId: 4, quantity: 10, status: 'available' },
    { petId: 5, quantity: 0, status: 'sold' },
    { petId: 6, quantity: 0, status: 'sold' },
    { petId: 7, quantity: 1, status: 'pending' },
  ] as const
  const open = [order(1, 1), order(2, 2, 8), order(3, 3, 3), order(4, 4, 6)]
  const delivered = [order(5, 5, 4), order(6, 6), order(7, 7)]

  const low = listLowStock(stock, { open, delivered })

  assert.deepEqual(
    low.map(({ petId, free }) => [petId, free]),
    [
      [3, 0],
      [5, 0],
      [2, 2],
    ],
  )
})
