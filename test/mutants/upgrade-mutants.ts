/** Mutants of upgrades: each must be noticed on the kept stores. */
export const upgradeMutants = [
  {
    fault: 'upgrade: open orders of an old store hold nothing',
    file: 'migrations/sqlite/0006_add_stock.sql',
    find: "orders.status in ('pending', 'shipped')",
    replaceBy: "orders.status in ('shipped')",
    tests: ['src/app/upgrades.test.ts'],
  },
  {
    fault: 'upgrade: names of an old store are not found',
    file: 'src/features/pets/storage.ts',
    find: 'backfills: [fillNameKeys],',
    replaceBy: 'backfills: [],',
    tests: ['src/app/upgrades.test.ts'],
  },
  {
    fault: 'upgrade: begins the ids of an old store again',
    file: 'migrations/sqlite/0012_index_order_references.sql',
    find: 'create index orders_reference on',
    replaceBy:
      "update sqlite_sequence set seq = 100 where name = 'pets';\ncreate index orders_reference on",
    tests: ['src/app/upgrades.test.ts'],
  },
  {
    fault: 'upgrade: revoked keys of an old store work again',
    file: 'migrations/postgres/0012_index_order_references.sql',
    find: 'create index orders_reference on',
    replaceBy: 'update keys set revoked_at = null;\ncreate index orders_reference on',
    engine: 'postgres' as const,
    tests: ['src/app/upgrades.test.ts'],
  },
]
