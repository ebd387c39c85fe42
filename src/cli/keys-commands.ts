import { defineCommand, flag, type Group, value, values } from './define-command.ts'

const createKey = defineCommand({
  usage: '--name NAME [OPTIONS]',
  description:
    'Issues a key, beside a running service or without one. The key alone goes to standard output. Only its digest is stored: it cannot be shown again.',
  examples: [
    ['petstore keys create --name shop', 'a key for everything but managing keys and webhooks'],
    [
      'petstore keys create --name boss --scope default --scope keys:manage',
      'a key that may also manage keys over HTTP',
    ],
    [
      'petstore keys create --name reader --scope pets:read --valid-days 90',
      'a key that reads pets for 90 days',
    ],
    ['petstore keys create --name app --rate-limit 50', 'at most 50 requests per second'],
    ['key=$(petstore keys create --name me)', 'a key in a variable of the shell'],
  ],
  options: {
    name: value('NAME', 'what the key is for'),
    scope: values(
      'SCOPE',
      'only this scope, such as orders:write; repeat it for several (default: default, all but keys:manage and webhooks:manage)',
    ),
    'valid-days': value('N', 'let it expire after N days (default: never)'),
    'rate-limit': value(
      'N',
      'let it send N requests per second (default: PETSTORE_RATE_LIMIT_PER_SECOND)',
    ),
    json: flag('print one JSON object: the key and what is known of it'),
  },
  load: async () => (await import('./keys.ts')).createKeyCommand,
})

const listKeys = defineCommand({
  description: 'Lists all keys that were ever issued, without their secrets. Oldest first.',
  examples: [
    ['petstore keys list', 'a table'],
    ['petstore keys list --json', 'everything that is known of each key'],
  ],
  options: { json: flag('print a JSON array') },
  load: async () => (await import('./keys.ts')).listKeysCommand,
})

const showKey = defineCommand({
  description: 'Shows everything that is known of a key, but never the key itself.',
  examples: [['petstore keys show 2', 'a line for each thing that is known']],
  argument: 'ID',
  options: { json: flag('print one JSON object') },
  load: async () => (await import('./keys.ts')).showKeyCommand,
})

const updateKey = defineCommand({
  description:
    'Changes the name, the scopes, the expiry or the rate limit of a key. Running services apply it within a second.',
  examples: [
    ['petstore keys update 2 --scope pets:read', 'take all other scopes away'],
    ['petstore keys update 1 --scope default --scope keys:manage', 'let a key manage keys'],
    ['petstore keys update 2 --valid-days 30', 'let it expire'],
  ],
  argument: 'ID',
  options: {
    name: value('NAME', 'what the key is for'),
    scope: values('SCOPE', 'this scope instead of those it has; repeat it for several'),
    'valid-days': value('N', 'let it expire after N days from now'),
    'no-expiry': flag('let it never expire'),
    'rate-limit': value('N', 'let it send N requests per second'),
    'no-rate-limit': flag('give it the limit of PETSTORE_RATE_LIMIT_PER_SECOND'),
    json: flag('print one JSON object'),
  },
  load: async () => (await import('./keys.ts')).updateKeyCommand,
})

const rotateKey = defineCommand({
  description:
    'Issues a successor of a key, with the same ID, name and scopes. The new key alone goes to standard output. The old one is accepted for a day more, or as long as --overlap-hours says.',
  examples: [
    ['petstore keys rotate 2', 'replace a key within a day'],
    ['petstore keys rotate 2 --overlap-hours 0', 'replace a key that leaked'],
  ],
  argument: 'ID',
  options: {
    'overlap-hours': value('N', 'how long the old key is accepted, 0 to 168 (default: 24)'),
    json: flag('print one JSON object: the key and what is known of it'),
  },
  load: async () => (await import('./keys.ts')).rotateKeyCommand,
})

const revokeKey = defineCommand({
  description:
    'Refuses a key from now on. Running services know of it within a second. petstore keys list shows the ID.',
  examples: [['petstore keys revoke 2', 'the second key that was issued']],
  argument: 'ID',
  options: { json: flag('print one JSON object') },
  load: async () => (await import('./keys.ts')).revokeKeyCommand,
})

export const keys: Group = {
  usage: 'COMMAND',
  description: 'Issues, lists, changes, rotates and revokes API keys.',
  examples: [],
  commands: {
    create: createKey,
    list: listKeys,
    show: showKey,
    update: updateKey,
    rotate: rotateKey,
    revoke: revokeKey,
  },
}
