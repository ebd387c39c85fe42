import assert from 'node:assert/strict'
import { it } from 'node:test'
import { petstore } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

it('help: lists the commands on standard output', async () => {
  const [plain, long, short] = await Promise.all([
    petstore(['help']),
    petstore(['--help']),
    petstore(['-h']),
  ])

  assert.deepEqual([plain.code, plain.stderr], [0, ''])
  assert.match(plain.stdout, /^petstore: .*\n\n {2}petstore serve /)
  assert.equal(long.stdout, plain.stdout)
  assert.equal(short.stdout, plain.stdout)
})

const wrong: [args: string[], message: RegExp][] = [
  [[], /^No command was given\./],
  [['serv'], /^There is no command serv\./],
  [['serve', '--ports', '1'], /Unknown option '--ports'/],
  [['serve', 'now'], /Unexpected argument 'now'/],
  [['serve', '--port'], /argument missing/],
  [['serve', '--ephemeral', '--now', 'tomorrow'], /^--now must be an instant such as 2030-/],
  [['serve', '--ephemeral', '--now', '2030-02-30T00:00:00Z'], /^--now must be an instant/],
  [['serve', '--ephemeral', '--first-id', '0'], /^--first-id must be an integer from 1 to 9223372/],
  [['serve', '--ephemeral', '--first-id', '9223372036854775808'], /^--first-id must be/],
  [['keys'], /^Say petstore keys create --name NAME/],
  [['keys', 'drop'], /^Say petstore keys create --name NAME/],
  [['keys', 'create'], /^Say what the key is for: --name NAME/],
  [['keys', 'create', '--name', 'a', '--scope', 'pets:eat'], /^--scope must be one of pets:read/],
  [['keys', 'create', '--name', 'a', '--valid-days', '0'], /^--valid-days must be/],
  [['keys', 'list', '--name', 'a'], /^keys list does not take --name/],
  [['keys', 'revoke'], /^Say which key/],
  [['keys', 'revoke', 'first'], /^Say which key/],
  [['keys', 'revoke', '1', '2'], /^keys revoke does not take 2/],
  [['seed'], /^Say how many pets: --count N, from 1 to 10,000,000\.\n$/],
  [['seed', '--count', 'ten'], /^Say how many pets: --count N/],
  [['seed', '--count', '1', '2'], /Unexpected argument '2'/],
  [['serve', '--ephemeral', '--seed', '1.5'], /^Say how many pets: --seed N/],
  [['config', '--port', '1'], /Unknown option '--port'/],
]

it('64 usage: an unknown command is reported on standard error, and nothing is done', async () => {
  for (const [args, message] of wrong) {
    const exit = await petstoreInThread(args)
    assert.equal(exit.code, 64, `${args.join(' ')}: ${exit.stderr}`)
    assert.match(exit.stderr, message)
    assert.equal(exit.stdout, '', args.join(' '))
  }
  const started = await petstore(['serv'])
  assert.deepEqual([started.code, started.stdout], [64, ''])
  assert.match(started.stderr, /^There is no command serv\./)
})
