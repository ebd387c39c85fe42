import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Order } from '../../client/src/generated/records.ts'
import { describeTaken } from '../../console/src/orders/describe-taken.ts'
import { listLowStock } from '../../console/src/overview/low-stock.ts'

const order = (id: number, petId: number, quantity = 1): Order => ({
  id,
  petId,
  quantity,
  status: 'pending',
  complete: false,
  createdAt: '2026-11-22T14:03:00.000Z',
})
const rex = { id: 7, name: 'Rex', categoryId: 1, status: 'pending' } as const
const refused = {
  message: 'Pet 7 is pending.',
  isShort: false,
  pet: rex,
  open: [],
  lastDelivered: undefined,
}

it('a refusal names the order that took the pet, or all of them, and none that did not', () => {
  const one = describeTaken({ ...refused, open: [order(12, 7)] })
  const several = describeTaken({ ...refused, open: [order(12, 7, 2), order(14, 7)] })
  const many = describeTaken({ ...refused, open: [1, 2, 3, 4, 5, 6].map((id) => order(id, 7)) })
  const short = { ...refused, message: 'Pet 7 has 1 in stock.', isShort: true }

  assert.match(
    one,
    /^Another order took \u2068Rex\u2069: order 12, placed .*2026.*, holds 1 of it\./,
  )
  assert.equal(
    several,
    'Other orders took \u2068Rex\u2069: order 14 (1), order 12 (2). Nothing was ordered.',
  )
  assert.match(many, /order 6 \(1\), .*order 2 \(1\) and others\./)
  assert.doesNotMatch(many, /order 1 /)
  assert.equal(
    describeTaken({ ...short, open: [order(12, 7, 4)] }),
    'Pet 7 has 1 in stock. Held by order 12 (4).',
  )
})

it('a pet that staff set aside, or sold, was taken by no order', () => {
  const sold = { ...refused, message: 'Pet 7 is sold.', pet: { ...rex, status: 'sold' } } as const

  assert.equal(describeTaken(refused), 'Pet 7 is pending.')
  assert.equal(describeTaken({ ...refused, lastDelivered: order(3, 7) }), 'Pet 7 is pending.')
  assert.equal(
    describeTaken({ ...sold, lastDelivered: order(3, 7) }),
    'Pet 7 is sold. It was delivered with order 3.',
  )
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
