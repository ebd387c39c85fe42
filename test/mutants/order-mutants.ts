/** Mutants of orders and stock. */
export const orderMutants = [
  {
    fault: 'orders: promises a pet twice',
    edits: [
      {
        file: 'src/features/stock/reservations.ts',
        find: "if (status !== 'available') {",
        replaceBy: 'if (status === null) {',
      },
      {
        file: 'src/features/stock/reservations.ts',
        find: 'if (free < quantity) {',
        replaceBy: 'if (Number.isNaN(free)) {',
      },
      {
        file: 'migrations/sqlite/0006_add_stock.sql',
        find: ' check (reserved between 0 and on_hand)',
        replaceBy: '',
      },
    ],
    tests: ['test/faults/orders-fight.test.ts'],
  },
  {
    fault: 'orders: postgres: does not lock the pet that it looks at',
    edits: [
      {
        file: 'src/db/postgres/sql.ts',
        find: "forUpdate: ' for update'",
        replaceBy: "forUpdate: ''",
      },
    ],
    tests: ['test/faults/orders-postgres.test.ts'],
  },
  {
    fault: 'orders: postgres: locks pets as their orders become due',
    edits: [
      {
        file: 'src/features/stock/queries.ts',
        find: 'order by id',
        replaceBy: 'order by array_position(?1::bigint[], id)',
      },
    ],
    tests: ['test/faults/orders-postgres.test.ts'],
  },
  {
    fault: 'orders: expires an order, and its pet stays held',
    edits: [
      {
        file: 'src/features/stock/queries.ts',
        find: 'reserved = reserved - released.quantity',
        replaceBy: 'reserved = reserved - 0 * released.quantity',
      },
    ],
    tests: ['test/faults/orders-kill.test.ts'],
  },
  {
    fault: 'orders: delivers an order, and its pet stays held',
    edits: [
      {
        file: 'src/features/stock/queries.ts',
        find: 'set reserved = reserved - ?2, on_hand',
        replaceBy: 'set on_hand',
      },
    ],
    tests: ['test/faults/orders-fight.test.ts'],
  },
  {
    fault: 'orders: stores the idempotency key after its order, not with it',
    edits: [
      {
        file: 'src/db/idempotency.ts',
        find: '      await keepAnswer(sql, claim, claim.isWithheld ? withheld : value)\n',
        replaceBy: `      const claimId = [claim.keyId, claim.operation, claim.key]
      await sql.all('delete from idempotency_keys where key_id = ?1 and operation = ?2 and key = ?3', claimId)
      setTimeout(async () => {
        await claimKey(sql, claim)
        await keepAnswer(sql, claim, value)
      }, 100)
`,
      },
    ],
    tests: ['test/faults/orders-kill.test.ts'],
  },
]
