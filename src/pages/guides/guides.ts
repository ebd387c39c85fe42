import { posix } from 'node:path'

/** A document that is served at `/guides/NAME`. */
export type Guide = {
  name: string
  title: string
  /** From the folder of the program. */
  path: string
  about: string
  /** Whether the front door lists it too. */
  isFirst?: boolean
}

/** The documents for users. */
export const guideGroups: readonly { title: string; guides: readonly Guide[] }[] = [
  {
    title: 'Use it',
    guides: [
      {
        name: 'selling-a-pet',
        title: 'Selling a pet',
        path: 'docs/guides/selling-a-pet.md',
        about: 'The life of an order, from the catalogue to the delivery, and what can prevent it.',
        isFirst: true,
      },
      {
        name: 'errors',
        title: 'Errors',
        path: 'docs/errors.md',
        about: 'What each error means, and what to do about it.',
        isFirst: true,
      },
      {
        name: 'stability',
        title: 'Stability',
        path: 'docs/guides/stability.md',
        about: 'What stays as it is, what may change, and how an operation is removed.',
      },
      {
        name: 'client',
        title: 'The TypeScript client',
        path: 'client/README.md',
        about: 'A typed client for Node, Bun, Deno and browsers: exact integers, pages, retries.',
        isFirst: true,
      },
      {
        name: 'int64',
        title: 'Keeping int64 exact in your client',
        path: 'docs/guides/int64.md',
        about:
          'What clients, generators and languages do with ids beyond 2^53, and how to make each exact.',
        isFirst: true,
      },
    ],
  },
  {
    title: 'Test against it',
    guides: [
      {
        name: 'testing-against-it',
        title: 'Testing against it',
        path: 'docs/guides/testing-against-it.md',
        about: 'A store of its own for each test, and what a test can control of it.',
        isFirst: true,
      },
      {
        name: 'recipes',
        title: 'Recipes for tests',
        path: 'docs/guides/recipes.md',
        about: 'Files to copy, in JavaScript, Python, Java, Go, Ruby and shell.',
        isFirst: true,
      },
      {
        name: 'package',
        title: 'The npm package',
        path: 'docs/package.md',
        about: 'A store for tests from npm.',
      },
    ],
  },
  {
    title: 'Run it',
    guides: [
      {
        name: 'server',
        title: 'A server',
        path: 'docs/guides/server.md',
        about: 'From nothing to a running service: user, systemd, proxy, backups.',
        isFirst: true,
      },
      {
        name: 'commands',
        title: 'Commands',
        path: 'docs/operations/commands.md',
        about: 'Every command and its options.',
      },
      {
        name: 'settings',
        title: 'Settings',
        path: 'docs/operations/settings.md',
        about: 'Every setting, the first key, the console.',
      },
      {
        name: 'exit-codes',
        title: 'Exit codes',
        path: 'docs/operations/exit-codes.md',
        about: 'Why the process ended.',
      },
      {
        name: 'health',
        title: 'Health and stopping',
        path: 'docs/operations/health.md',
        about: 'Probes, and what a stop does step by step.',
      },
      {
        name: 'logs',
        title: 'Logs',
        path: 'docs/operations/logs.md',
        about: 'The lines of the log, their members, rotation.',
      },
      {
        name: 'limits',
        title: 'Connections and limits',
        path: 'docs/operations/limits.md',
        about: 'How many connections, how long, how large.',
      },
      {
        name: 'files',
        title: 'The files of a store',
        path: 'docs/operations/files.md',
        about: 'What each file is, how to move a store, the clock.',
      },
      {
        name: 'checks',
        title: 'Checking data and installation',
        path: 'docs/operations/checks.md',
        about: 'petstore verify and petstore doctor.',
      },
      {
        name: 'upgrades',
        title: 'Upgrades',
        path: 'docs/operations/upgrades.md',
        about: 'A new version, and which Node runs it.',
      },
      {
        name: 'containers',
        title: 'Containers and Kubernetes',
        path: 'docs/operations/containers.md',
        about: 'The image, Compose, and what Kubernetes needs.',
      },
      {
        name: 'postgresql',
        title: 'PostgreSQL',
        path: 'docs/guides/postgresql.md',
        about: 'One store served by several processes, through failovers.',
        isFirst: true,
      },
    ],
  },
  {
    title: 'Keep the data',
    guides: [
      {
        name: 'backup',
        title: 'Backup',
        path: 'docs/guides/backup.md',
        about: 'Taking backups, restoring them, and moving a store to another database.',
        isFirst: true,
      },
      {
        name: 'disaster',
        title: 'When something has gone wrong',
        path: 'docs/guides/disaster.md',
        about: 'Five accidents: what to do, what is lost, and how long it takes.',
        isFirst: true,
      },
      {
        name: 'damage',
        title: 'Damaged and lost data',
        path: 'docs/operations/damage.md',
        about: 'What the service detects, and how to recover a store.',
      },
      {
        name: 'durability',
        title: 'How durability works',
        path: 'docs/durability.md',
        about: 'Why an acknowledged write survives a crash.',
      },
    ],
  },
  {
    title: 'Measurements',
    guides: [
      {
        name: 'measured',
        title: 'Measured',
        path: 'docs/measured.md',
        about: 'Measurements, each with the command that repeats it.',
      },
      {
        name: 'postgresql-measured',
        title: 'PostgreSQL: what was measured',
        path: 'docs/guides/postgresql-measured.md',
        about: 'How soon requests succeed again after a fault.',
      },
    ],
  },
]

export const guides: readonly Guide[] = guideGroups.flatMap(({ guides }) => guides)

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
