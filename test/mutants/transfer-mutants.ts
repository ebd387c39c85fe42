/** Mutants of copies of stores, and of transfers. */
export const transferMutants = [
  {
    fault: 'a transfer drops the table of idempotency keys',
    edits: [
      {
        file: 'src/db/copying/copy-store.ts',
        find: 'tables.filter(({ isOfPlace }) => !isOfPlace)',
        replaceBy: "tables.filter(({ name, isOfPlace }) => !isOfPlace && !name.startsWith('idem'))",
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
    engine: 'postgres' as const,
  },
  {
    fault: 'a transfer does not mark its source',
    edits: [
      {
        file: 'src/admin/transfer/transfer-store.ts',
        find: "  if (!hasLeft) await source.setMark({ ...mark, state: 'left', peer: placeOf(to) })\n",
        replaceBy: '',
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
    engine: 'postgres' as const,
  },
  {
    fault: 'a copy assigns the ids of deleted records again',
    edits: [
      {
        file: 'src/db/copying/copy-store.ts',
        find: '    if (lastId !== undefined) await writer.skipIds(table.name, lastId)\n',
        replaceBy: '',
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
    engine: 'postgres' as const,
  },
  {
    fault: 'a transfer does not compare what it has copied',
    edits: [
      {
        file: 'src/admin/transfer/transfer-store.ts',
        find: 'if (different.length === 0) return end()\n',
        replaceBy: 'return end()\n',
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
  },
  {
    fault: 'a store that was transferred, or that is not complete, is served',
    edits: [
      {
        file: 'src/db/transfer-mark.ts',
        find: '  if (mark === undefined) return\n',
        replaceBy: "  if (mark === undefined || mark.state === 'arriving') return\n",
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
  },
  {
    fault: 'a command that had opened a store before its transfer writes to it afterwards',
    edits: [
      {
        file: 'src/db/sqlite/serving/inline.ts',
        find: 'first: () => requireUnmarkedIn(connection, path),',
        replaceBy: 'first: () => undefined,',
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
  },
  {
    fault: 'PostgreSQL: a store is transferred while it is served',
    edits: [
      {
        file: 'src/db/postgres/store-lock.ts',
        find: "if (await takes(client, 'pg_try_advisory_lock_shared')) return",
        replaceBy: 'if (client) return',
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
    engine: 'postgres' as const,
  },
  {
    fault: 'PostgreSQL: texts of keys are ordered by a locale, so that equal tables differ',
    edits: [
      {
        file: 'src/db/postgres/store-reader.ts',
        find: 'collate "C"',
        replaceBy: 'collate "en-x-icu"',
      },
    ],
    tests: ['src/db/copying/copy-store.test.ts'],
    engine: 'postgres' as const,
  },
  {
    fault: 'a transfer moves a store with findings, and completes a copy that has some',
    edits: [
      {
        file: 'src/admin/transfer/transfer-store.ts',
        find: '  if (found.length > 0) throw new UnsoundStore(database.name, found)\n',
        replaceBy: '',
      },
    ],
    tests: ['src/admin/transfer/transfer-store.test.ts'],
  },
]
