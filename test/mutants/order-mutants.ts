/** Mutants of orders and stock. */
export const orderMutants = [
  {
    fault: 'orders: shares the read of two references that look like each other with their filters',
    file: 'src/db/lists/page.ts',
    find: "'equals' in condition && typeof condition.equals === 'string'",
    replaceBy: "'equals' in condition && condition.column === 'none'",
    tests: ['src/features/sales/list-orders.test.ts'],
  },
  {
    fault: 'orders: sorts all orders of a reference to show a page of them',
    edits: [
      {
        file: 'migrations/sqlite/0012_index_order_references.sql',
        find: '(reference, status, id)',
        replaceBy: '(reference, status)',
      },
      {
        file: 'migrations/sqlite/0012_index_order_references.sql',
        find: '(pet_id, reference, id)',
        replaceBy: '(pet_id, id, reference)',
      },
    ],
    tests: ['src/app/list-plans.test.ts'],
  },
  {
    fault: 'orders: promises a pet twice',
    edits: [
      {
        file: 'src/features/sales/reservations.ts',
        find: "if (status === 'pending' && stated === 'available') {",
        replaceBy: "if (status === 'sold') {",
      },
      {
        file: 'src/features/sales/reservations.ts',
        find: "if (status !== 'available') return",
        replaceBy: "if (status === 'sold') return",
      },
      {
        file: 'src/features/sales/reservations.ts',
        find: 'if (free < quantity) {',
        replaceBy: 'if (Number.isNaN(free)) {',
      },
      {
        file: 'migrations/sqlite/0006_add_stock.sql',
        find: ' check (reserved between 0 and on_hand)',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/orders-fight.full.test.ts'],
  },
  {
    fault: 'orders: postgres: does not lock the pet that it looks at',
    file: 'src/db/postgres/sql.ts',
    find: "forUpdate: ' for update'",
    replaceBy: "forUpdate: ''",
    tests: ['test/faults/orders-postgres.test.ts'],
  },
  {
    fault: 'orders: postgres: locks pets as their orders become due',
    file: 'src/features/sales/queries.ts',
    find: "'?1')} order by id",
    replaceBy: "'?1')} order by array_position(?1::bigint[], id)",
    tests: ['test/faults/orders-postgres.test.ts'],
  },
  {
    fault: 'orders: expires an order, and its pet stays held',
    file: 'src/features/sales/lock-and-expire.ts',
    find: '    release(stock, order.quantity)\n',
    replaceBy: '',
    tests: ['test/faults/orders-kill.full.test.ts'],
  },
  {
    fault: 'orders: delivers an order, and its pet stays held',
    file: 'src/features/sales/reservations.ts',
    find: 'stock.onHand -= quantity\n  setReserved(stock, stock.reserved - quantity)',
    replaceBy: 'stock.onHand -= quantity',
    tests: ['test/faults/orders-fight.full.test.ts'],
  },
  {
    fault: 'orders: stores the idempotency key after its order, not with it',
    file: 'src/db/run-write.ts',
    find: 'await claims.insert(results)',
    replaceBy: 'setTimeout(claims.insert, 100, results)',
    tests: ['test/faults/orders-kill.full.test.ts'],
  },
  {
    fault: 'orders: an order that changes the stock has no event of the pet',
    file: 'src/features/sales/move-order.ts',
    find: '        recordStock(tx, move, { before, after: stock })\n',
    replaceBy: '',
    tests: ['src/features/sales/move-order.test.ts'],
  },
  {
    fault: 'orders: an order that is placed has no event',
    file: 'src/features/sales/create-order.ts',
    find: "      tx.record(order, { type: 'order.placed', record: 'order', id: data.id, data })\n",
    replaceBy: '',
    tests: ['test/faults/orders-kill.full.test.ts'],
  },
  {
    fault: 'orders: an order that expires has no event',
    file: 'src/features/sales/lock-and-expire.ts',
    find: "    tx.record(undefined, { type: 'order.expired', record: 'order', id, data: order, before, actor })\n",
    replaceBy: '',
    tests: ['src/features/sales/expire-orders.test.ts'],
  },
]
