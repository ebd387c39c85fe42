import { defineCommand, flag, type Group, value, values } from './arguments/define-command.ts'

const createKey = defineCommand({
  usage: '--name NAME [OPTIONS]',
  description:
    'Issues a key of the store itself: the first one, or one in place of a lost one. Works beside a running service or without one, and needs no key. The key alone goes to standard output. Only its digest is stored: it cannot be shown again. With --url, --profile or PETSTORE_URL, petstore keys create is the operation of that service instead, like all other commands of keys; with one of them, --help has its options.',
  examples: [
    ['petstore keys create --name me', 'a key for everything but managing keys and webhooks'],
    [
      'petstore keys create --name boss --scope default --scope keys:manage',
      'a key that may also manage keys, by the other commands',
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
  load: async () => (await import('./store/keys.ts')).createKeyCommand,
})

export const keys: Group = {
  usage: 'COMMAND',
  description:
    'Issues, lists, changes, rotates and revokes API keys, over HTTP with a key that may manage keys. petstore keys create also issues a key of the store itself, without a key: the first one, or one in place of a lost one.',
  examples: [],
  commands: { create: createKey },
}
