import { backupMutants } from './backup-mutants.ts'
import { contractMutants } from './contract-mutants.ts'
import { damageMutants } from './damage-mutants.ts'
import { fileMutants } from './file-mutants.ts'
import { inputMutants } from './input-mutants.ts'
import { orderMutants } from './order-mutants.ts'
import { postgresMutants } from './postgres-mutants.ts'
import { transferMutants } from './transfer-mutants.ts'
import { upgradeMutants } from './upgrade-mutants.ts'
import { writeMutants } from './write-mutants.ts'

export type Edit = { file: string; find: string; replaceBy: string }

/** A small wrong edit of the source, or several, and the tests that must turn red with it. */
export type Mutant = (Edit | { edits: Edit[] }) & {
  /** What the program would do wrong. */
  fault: string
  tests: string[]
  /** The engine of those tests; SQLite unless given. */
  engine?: 'postgres'
  /** Set when those tests can only run as root. */
  needsRoot?: true
}

export function editsOf(mutant: Mutant): Edit[] {
  return 'edits' in mutant ? mutant.edits : [mutant]
}

export const mutants: Mutant[] = [
  ...backupMutants,
  {
    fault: 'responds before the commit',
    file: 'src/db/sqlite/serving/commit.ts',
    find: "    connection.exec('commit')\n    const statementsMs",
    replaceBy: "    setTimeout(() => connection.exec('commit'), 20)\n    const statementsMs",
    tests: ['test/faults/kill.test.ts'],
  },
  {
    fault: 'syncs at checkpoints only, NORMAL instead of FULL',
    file: 'src/db/sqlite/connection.ts',
    find: 'synchronous = full',
    replaceBy: 'synchronous = normal',
    tests: ['test/faults/power.full.test.ts'],
    needsRoot: true,
  },
  {
    fault: 'accepts limit=101',
    file: 'src/contract/paging.ts',
    find: 'const limitMax = 100',
    replaceBy: 'const limitMax = 101',
    tests: ['src/features/pets/list-pets.test.ts'],
  },
  {
    fault: 'converts "7" to 7',
    file: 'src/http/request/schema.ts',
    find: "if (typeof value === 'number') return",
    replaceBy:
      "if (typeof value === 'string' && /^\\d+$/.test(value)) return BigInt(value)\n  if (typeof value === 'number') return",
    tests: ['src/features/pets/create-pet.test.ts'],
  },
  {
    fault: 'returns null for an absent status',
    file: 'src/features/pets/queries.ts',
    find: '...(status === undefined ? {} : { status })',
    replaceBy: 'status: status ?? null',
    tests: ['src/features/pets/create-pet.test.ts'],
  },
  {
    fault: 'skips the key check on HEAD',
    file: 'src/http/route.ts',
    find: 'const caller = authenticate(',
    replaceBy: "if (request.method === 'HEAD') return done()\n      const caller = authenticate(",
    tests: ['src/http/methods.test.ts'],
  },
  {
    fault: 'joins the running query instead of the next',
    edits: [
      {
        file: 'src/db/batching/shared-reads.ts',
        find: '  let isScheduled = false\n',
        replaceBy: '  let isScheduled = false\n  const latest = new Map<string, Reading>()\n',
      },
      {
        file: 'src/db/batching/shared-reads.ts',
        find: 'let reading = readings.get(key)\n',
        replaceBy: 'let reading = readings.get(key) ?? latest.get(key)\n',
      },
      {
        file: 'src/db/batching/shared-reads.ts',
        find: 'readings.set(key, reading)\n',
        replaceBy: 'readings.set(key, reading)\n        latest.set(key, reading)\n',
      },
    ],
    tests: ['src/db/batching/shared-reads.test.ts'],
  },
  {
    fault: 'assigns an id twice',
    file: 'src/db/sqlite/connection.ts',
    find: '.lastInsertRowid as bigint)',
    replaceBy: '.lastInsertRowid as bigint).map((id) => id / 2n + 1n)',
    tests: ['src/features/pets/create-pet.test.ts'],
  },
  {
    fault: "ignores the cursor's filters",
    file: 'src/http/request/parameters.ts',
    find: ', names.map((key) => [key, withoutBigInt(filters[key])])',
    replaceBy: '',
    tests: ['src/http/request/paging.test.ts'],
  },
  {
    fault: 'drops a lifecycle header on 404',
    file: 'src/http/response/send-error.ts',
    find: '  if (retryAfterSeconds)',
    replaceBy: "  if (status === 404) reply.removeHeader('sunset')\n  if (retryAfterSeconds)",
    tests: ['src/features/pets/get-pet.test.ts'],
  },
  {
    fault: 'returns a member that Pet does not have',
    edits: [
      {
        file: 'src/features/pets/contract.ts',
        find: '    name,\n    categoryId,\n    status,\n',
        replaceBy:
          '    name,\n    categoryId,\n    status,\n    kind: Type.Optional(Type.String()),\n',
      },
      {
        file: 'src/features/pets/queries.ts',
        find: 'const data = { name, categoryId, ...(status',
        replaceBy: "const data = { name, categoryId, kind: 'pet', ...(status",
      },
    ],
    tests: ['test/interface/strict-client.test.ts'],
  },
  {
    fault: 'returns 500 instead of 400 for one invalid byte',
    file: 'src/http/request/body.ts',
    find: '  if (!isUtf8(bytes)) {\n',
    replaceBy: "  if (!isUtf8(bytes)) {\n    throw new Error('a bad byte')\n",
    tests: ['test/http/strings.test.ts'],
  },
  {
    fault: 'treats the capital sharp s as another letter',
    file: 'src/contract/name-key.ts',
    find: 'return point.toLowerCase().toUpperCase()',
    replaceBy: 'return point.toUpperCase()',
    tests: ['src/features/categories/create-category.test.ts'],
  },
  ...inputMutants,
  ...contractMutants,
  ...orderMutants,
  ...postgresMutants,
  ...damageMutants,
  ...fileMutants,
  ...upgradeMutants,
  ...transferMutants,
  ...writeMutants,
]
