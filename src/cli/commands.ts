import { counter, defineCommand, flag, type Group, value } from './arguments/define-command.ts'
import { keys } from './keys-commands.ts'
import { commandsOf, operationGroups } from './operations/groups.ts'
import { completion, login, logout, profiles } from './profile-commands.ts'
import { webhooks } from './webhooks-commands.ts'

const serve = defineCommand({
  description:
    'Serves the interface until SIGTERM or SIGINT. The data is in data/production.db of the current folder, unless PETSTORE_DATABASE names another place. The first start issues a first key.',
  examples: [
    ['petstore serve', 'production, on port 8080'],
    ['petstore serve --seed 1000', 'a first look: 1,000 demo pets, where the store is empty'],
    ['petstore serve --environment staging', 'staging beside it, on port 8081'],
    ['petstore serve --ephemeral --port 0 --json', 'a store for one test'],
  ],
  options: {
    port: value('N', 'the port to listen on; 0 for any free one'),
    processes: value(
      'N',
      'how many processes serve PostgreSQL, or auto for one per core; SIGHUP replaces them',
    ),
    json: flag('when ready, print one line {"baseUrl":…,"key":…}; the log goes to standard error'),
    ephemeral: flag('keep everything in memory; staging unless told otherwise'),
    seed: value('N', 'begin with N demo pets where the store is empty'),
    now: value('INSTANT', 'start the clock there, e.g. 2030-12-05T00:00:00Z; never in production'),
    fixture: value(
      'FILE',
      'begin with the pets, categories and orders of a JSON file (- for standard input)',
    ),
    strict: flag('refuse unknown parameters and members unless a request says otherwise'),
    'until-stdin-ends': flag('stop when standard input ends, such as a pipe from a test run'),
    'first-id': value(
      'N',
      'the first id of pets, categories and orders, not of keys; never in production',
    ),
  },
  load: async () => (await import('./serve/serve.ts')).serve,
})

const seed = defineCommand({
  usage: '--count N [OPTIONS]',
  description:
    'Adds demo pets, their categories, and orders. Works beside a running service or without one. Categories that exist are used.',
  examples: [
    ['petstore seed --count 1000', 'fill an empty store'],
    ['petstore seed --count 12000 --environment staging', 'add to staging, each time'],
  ],
  options: {
    count: value('N', 'how many pets, from 1 to 10,000,000'),
    seed: value(
      'TEXT',
      'the same text and count give an empty store the same data on the same day (default: petstore)',
    ),
    force: counter('--force --force: add to a production store that is not empty'),
    json: flag('print one JSON object with what was added'),
  },
  load: async () => (await import('./store/seed.ts')).seedCommand,
})

const verify = defineCommand({
  description:
    'Checks the data against the rules of this program. Works beside a running service or without one. Changes nothing without --repair. The exit code is 79 if findings are left.',
  examples: [
    ['petstore verify', 'what is wrong, if anything'],
    ['petstore verify --repair', 'ask whether to repair it'],
    ['petstore verify --json --repair --yes', 'repair it without asking'],
  ],
  options: {
    json: flag('print one JSON object with all that is found'),
    repair: flag('show what can be repaired, and ask whether to do it'),
    yes: flag('with --repair: do it without asking'),
  },
  load: async () => (await import('./store/verify.ts')).verifyCommand,
})

const backup = defineCommand({
  description:
    'Writes all that a store holds into one verified file. Works beside the running service or without it. petstore restore reads the file, on SQLite and on PostgreSQL. In a folder, it is named for the environment and the time.',
  examples: [
    ['petstore backup pets.backup', 'one file, which must not exist yet'],
    ['petstore backup /var/backups/petstore --keep 14', 'a new file each time, the last 14'],
    ['petstore backup pets.backup --check', 'whether that file can be restored'],
    [
      'petstore backup pets.backup --last',
      'move the store: it goes on where that file is restored',
    ],
  ],
  argument: 'FILE',
  options: {
    keep: value('N', 'where FILE is a folder: keep the last N, and delete older ones'),
    replace: flag('where FILE is a backup: put the new one in its place'),
    check: flag('read an existing backup, and say what is in it; change nothing'),
    last: flag('move the store: no service uses it meanwhile, nor afterwards'),
    release: flag('make no backup: let a store be used again that was moved'),
    json: flag('print one JSON object'),
  },
  load: async () => (await import('./store/backup.ts')).backupCommand,
})

const restore = defineCommand({
  description:
    'Makes a store of a backup, where PETSTORE_DATABASE says. No service may use that place meanwhile. The backup is checked completely before anything is changed. Keys and stored results of Idempotency-Keys come along. A log of events begins anew, unless the backup is the last one of a store that moves.',
  examples: [
    ['petstore restore pets.backup', 'where there is no store'],
    ['petstore restore pets.backup --replace', 'over a store, which is kept under another name'],
    [
      'petstore restore pets.backup --skip-ids 5000000',
      'where the old store is lost, and may have assigned more than a million ids since',
    ],
  ],
  argument: 'FILE',
  options: {
    replace: flag(
      'where there is a store: keep it under another name; without FILE, put a store of this version in the place of one of before 1.0.0',
    ),
    'skip-ids': value(
      'N',
      'leave N more ids of each table unused, from 0 to 1,000,000,000,000 (default: 1,000,000, or none where the replaced store has its last ids)',
    ),
    json: flag('print one JSON object'),
  },
  load: async () => (await import('./store/restore.ts')).restoreCommand,
})

const recover = defineCommand({
  description:
    'Makes a store of what can be read of a damaged one. No process may use it meanwhile. The damaged files are kept under another name. It prints what is lost, and assigns no id again. SQLite only. A store that is not damaged is not changed.',
  examples: [['petstore recover', 'after a start that was refused with exit code 65']],
  options: { json: flag('print one JSON object') },
  load: async () => (await import('./store/recover.ts')).recoverCommand,
})

const doctor = defineCommand({
  description:
    'Examines settings, disk and database. Looks at how long syncs take, the store, the settings of PostgreSQL, and the last backup. Each finding says what to do. Changes nothing, beside a running service or without one. The exit code is 79 on errors, not on warnings.',
  examples: [
    ['petstore doctor', 'what is wrong here, if anything'],
    ['petstore doctor --json', 'the same for a monitor'],
  ],
  options: { json: flag('print one JSON object with all findings') },
  load: async () => (await import('./store/doctor.ts')).doctorCommand,
})

const deprecations = defineCommand({
  description:
    'Lists who called deprecated operations, by day and key, so that they can be told before the operation is removed. Beside a running service, which stores its counts each minute, or without one.',
  examples: [['petstore deprecations', 'who still calls what will be removed']],
  options: { json: flag('print a JSON array with the calls of each day, operation and key') },
  load: async () => (await import('./store/deprecations.ts')).deprecationsCommand,
})

const config = defineCommand({
  description: 'Prints the effective settings as shell assignments. Passwords are masked.',
  examples: [['petstore config --environment staging', 'the settings that staging would have']],
  options: { json: flag('print one JSON object; null where a setting has no value') },
  load: async () => (await import('./store/config.ts')).showConfig,
})

export const root: Group = {
  usage: 'COMMAND [OPTIONS]',
  description:
    'The pet store service. The commands work on the store of the settings, and need no service: petstore config prints the settings. The commands over HTTP are the operations of a service: that of --url, PETSTORE_URL or --profile, else that of the last petstore login, else the one on this machine. petstore keys create is of both kinds: unless --url, --profile or PETSTORE_URL names a service, it issues a key of the store itself, the first one or one in place of a lost one. petstore COMMAND --help has the options of a command, and examples.',
  examples: [
    ['petstore serve', 'serve http://127.0.0.1:8080/v1, and its reference at /docs'],
    ['petstore keys create --name me', 'a key for yourself'],
    ['petstore login', 'keep that key, so that the next line needs none'],
    ['petstore pets list --status available', 'over HTTP, in a table'],
  ],
  commands: {
    serve,
    keys: { ...keys, overHttp: commandsOf('keys') },
    webhooks: { ...webhooks, overHttp: commandsOf('webhooks') },
    seed,
    verify,
    backup,
    restore,
    recover,
    doctor,
    deprecations,
    config,
    login,
    profiles,
    logout,
    completion,
  },
  overHttp: operationGroups(['keys', 'webhooks']),
}
