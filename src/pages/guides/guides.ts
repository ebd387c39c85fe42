import { posix } from 'node:path'

/** A document that is served at `/guides/NAME`. */
export type Guide = {
  name: string
  title: string
  /** From the folder of the program. */
  path: string
  about: string
  /** Whether the list of guides has it; others are reached from a link of one of these. */
  isListed: boolean
}

/** The documents for users, in the order of a first week. */
export const guides: readonly Guide[] = [
  {
    name: 'selling-a-pet',
    title: 'Selling a pet',
    path: 'docs/guides/selling-a-pet.md',
    about: 'The life of an order, from the catalogue to the delivery, and what can prevent it.',
    isListed: true,
  },
  {
    name: 'errors',
    title: 'Errors',
    path: 'docs/errors.md',
    about: 'What each error means, and what to do about it.',
    isListed: true,
  },
  {
    name: 'client',
    title: 'The TypeScript client',
    path: 'client/README.md',
    about: 'A typed client for Node, Bun, Deno and browsers: exact integers, pages, retries.',
    isListed: true,
  },
  {
    name: 'testing-against-it',
    title: 'Testing against it',
    path: 'docs/guides/testing-against-it.md',
    about: 'A store of its own for each test, and what a test can control of it.',
    isListed: true,
  },
  {
    name: 'recipes',
    title: 'Recipes for tests',
    path: 'docs/guides/recipes.md',
    about: 'Files to copy, in JavaScript, Python, Java, Go, Ruby and shell.',
    isListed: true,
  },
  {
    name: 'int64',
    title: 'Keeping int64 exact in your client',
    path: 'docs/guides/int64.md',
    about:
      'What clients, generators and languages do with ids beyond 2^53, and how to make each exact.',
    isListed: true,
  },
  {
    name: 'operating',
    title: 'Operating the service',
    path: 'docs/guides/operating.md',
    about: 'Commands, settings, exit codes, health, logs, backups.',
    isListed: true,
  },
  {
    name: 'disaster',
    title: 'When something has gone wrong',
    path: 'docs/guides/disaster.md',
    about: 'Five accidents: what to do, what is lost, and how long it takes.',
    isListed: true,
  },
  {
    name: 'postgresql',
    title: 'PostgreSQL',
    path: 'docs/guides/postgresql.md',
    about: 'One store served by several processes, through failovers.',
    isListed: true,
  },
  {
    name: 'backup',
    title: 'Backup',
    path: 'docs/guides/backup.md',
    about: 'Taking backups, restoring them, and moving a store to another database.',
    isListed: true,
  },
  {
    name: 'durability',
    title: 'How durability works',
    path: 'docs/durability.md',
    about: 'Why an acknowledged write survives a crash.',
    isListed: true,
  },
  {
    name: 'measured',
    title: 'Measured',
    path: 'docs/measured.md',
    about: 'Measurements, each with the command that repeats it.',
    isListed: true,
  },
  {
    name: 'postgresql-measured',
    title: 'PostgreSQL: what was measured',
    path: 'docs/guides/postgresql-measured.md',
    about: 'How soon requests succeed again after a fault.',
    isListed: false,
  },
  {
    name: 'package',
    title: 'The npm package',
    path: 'docs/package.md',
    about: 'A store for tests from npm.',
    isListed: false,
  },
]

/**
 * Where a link of a document leads on its page; a file that is not served has no address. `folder` is the relative address
 * of `/guides/`.
 */
export function addressOf(target: string, path: string, folder = ''): string | undefined {
  if (/^https?:/.test(target)) return target
  const [file = '', fragment] = target.split('#')
  if (file === '' && folder === '') return target
  const meant = file === '' ? path : posix.join(posix.dirname(path), file)
  const hash = fragment === undefined ? '' : `#${fragment}`
  if (meant === 'openapi.json') return `${folder}../openapi.json`
  const guide = guides.find((one) => one.path === meant)
  return guide && `${folder}${guide.name}${hash}`
}
