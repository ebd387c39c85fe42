import { buildCommand, buildRouteMap } from '@stricli/core'
import {
  argument,
  type CliContext,
  documented,
  environment,
  flag,
  loading,
  value,
} from './define-command.ts'
import { backup } from './definitions/backup.ts'
import { doctor } from './definitions/doctor.ts'
import { recover } from './definitions/recover.ts'
import { restore } from './definitions/restore.ts'
import { transfer } from './definitions/transfer.ts'
import type { KeyFlags } from './keys.ts'

const serve = documented(
  {
    usage: '[OPTIONS]',
    description:
      'Serves the interface until SIGTERM or SIGINT. The data is in data/production.db of the current folder, unless PETSTORE_DATABASE names another place. The first start issues a first key.',
    examples: [
      ['petstore serve', 'production, on port 8080'],
      ['petstore serve --seed 1000', 'a first look: 1,000 demo pets, where the store is empty'],
      ['petstore serve --environment staging', 'staging beside it, on port 8081'],
      ['petstore serve --ephemeral --port 0 --json', 'a store for one test'],
    ],
  },
  buildCommand({
    loader: loading(async () => (await import('./serve.ts')).serve),
    parameters: {
      flags: {
        environment,
        port: value('N', 'the port to listen on; 0 for any free one'),
        json: flag(
          'when ready, print one line {"baseUrl":…,"key":…}; the log goes to standard error',
        ),
        ephemeral: flag('keep everything in memory; staging unless told otherwise'),
        seed: value('N', 'begin with N demo pets where the store is empty'),
        now: value(
          'INSTANT',
          'start the clock there, e.g. 2030-12-05T00:00:00Z; never in production',
        ),
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
    },
    docs: { brief: 'serve the interface until SIGTERM or SIGINT' },
  }),
)

const createKey = documented(
  {
    usage: '--name NAME [OPTIONS]',
    description:
      'Issues a key, beside a running service or without one. The key alone goes to standard output. Only its digest is stored: it cannot be shown again.',
    examples: [
      ['petstore keys create --name shop', 'a key that may do everything'],
      [
        'petstore keys create --name reader --scope pets:read --valid-days 90',
        'a key that reads pets for 90 days',
      ],
      ['key=$(petstore keys create --name me)', 'a key in a variable of the shell'],
    ],
  },
  buildCommand({
    loader: loading(async () => (await import('./keys.ts')).createKeyCommand),
    parameters: {
      flags: {
        name: value('NAME', 'what the key is for'),
        scope: {
          kind: 'parsed',
          parse: String,
          optional: true,
          variadic: true,
          placeholder: 'SCOPE',
          brief: 'only this scope, such as orders:write; repeat it for several (default: all)',
        },
        'valid-days': value('N', 'let it expire after N days (default: never)'),
        json: flag('print one JSON object: the key and what is known of it'),
        environment,
      },
    },
    docs: { brief: 'issue a key; it is printed alone on standard output' },
  }),
)

const listKeys = documented(
  {
    usage: '[OPTIONS]',
    description: 'Lists all keys that were ever issued, oldest first, without their secrets.',
    examples: [
      ['petstore keys list', 'a table'],
      ['petstore keys list --json', 'everything that is known of each key'],
    ],
  },
  buildCommand({
    loader: loading(async () => (await import('./keys.ts')).listKeysCommand),
    parameters: {
      flags: { json: flag('print a JSON array'), environment },
    },
    docs: { brief: 'list all keys, with their last use' },
  }),
)

const revokeKey = documented(
  {
    usage: 'ID [OPTIONS]',
    description:
      'Refuses a key from now on. Running services know of it within a second. petstore keys list shows the ID.',
    examples: [['petstore keys revoke 2', 'the second key that was issued']],
  },
  buildCommand<KeyFlags, [id: string | undefined], CliContext>({
    loader: loading(async () => (await import('./keys.ts')).revokeKeyCommand),
    parameters: {
      flags: { json: flag('print one JSON object'), environment },
      positional: argument('ID', 'the ID of petstore keys list'),
    },
    docs: { brief: 'refuse a key from now on' },
  }),
)

const seed = documented(
  {
    usage: '--count N [OPTIONS]',
    description:
      'Adds demo pets, their categories where they are missing, and orders, beside a running service or without one.',
    examples: [
      ['petstore seed --count 1000', 'fill an empty store'],
      ['petstore seed --count 12000 --environment staging', 'add to staging, each time'],
    ],
  },
  buildCommand({
    loader: loading(async () => (await import('./seed.ts')).seedCommand),
    parameters: {
      flags: {
        count: value('N', 'how many pets, from 1 to 10,000,000'),
        seed: value(
          'TEXT',
          'the same text and count give an empty store the same data (default: petstore)',
        ),
        force: {
          kind: 'counter',
          brief: '--force --force: add to a production store that is not empty',
        },
        json: flag('print one JSON object with what was added'),
        environment,
      },
    },
    docs: { brief: 'add demo pets, their categories, and orders' },
  }),
)

const verify = documented(
  {
    usage: '[OPTIONS]',
    description:
      'Checks the data against the rules of this program, also beside a running service. Changes nothing without --repair. The exit code is 79 if findings are left.',
    examples: [
      ['petstore verify', 'what is wrong, if anything'],
      ['petstore verify --repair', 'ask whether to repair it'],
      ['petstore verify --json --repair --yes', 'repair it without asking'],
    ],
  },
  buildCommand({
    loader: loading(async () => (await import('./verify.ts')).verifyCommand),
    parameters: {
      flags: {
        json: flag('print one JSON object with all that is found'),
        repair: flag('show what can be repaired, and ask whether to do it'),
        yes: flag('with --repair: do it without asking'),
        environment,
      },
    },
    docs: { brief: 'check the data; exit code 79 on findings' },
  }),
)

const config = documented(
  {
    usage: '[OPTIONS]',
    description: 'Prints the effective settings as shell assignments. Passwords are masked.',
    examples: [['petstore config --environment staging', 'the settings that staging would have']],
  },
  buildCommand({
    loader: loading(async () => (await import('./config.ts')).showConfig),
    parameters: {
      flags: {
        json: flag('print one JSON object; null where a setting has no value'),
        environment,
      },
    },
    docs: { brief: 'the effective settings, passwords masked' },
  }),
)

const keys = documented(
  { usage: 'COMMAND', description: 'Issues, lists and revokes API keys.', examples: [] },
  buildRouteMap({
    routes: { create: createKey, list: listKeys, revoke: revokeKey },
    docs: { brief: 'issue, list and revoke keys' },
  }),
)

export const root = documented(
  {
    usage: 'COMMAND [OPTIONS]',
    description:
      'The pet store service. Settings come from the environment: petstore config prints them, docs/operations/settings.md explains them. petstore COMMAND --help has the options of a command, and examples.',
    examples: [
      ['petstore serve', 'serve http://127.0.0.1:8080/v1, and its reference at /docs'],
      ['petstore keys create --name me', 'a key for yourself'],
    ],
  },
  buildRouteMap({
    routes: { serve, keys, seed, verify, backup, restore, recover, transfer, doctor, config },
    docs: { brief: 'the pet store service' },
  }),
)
