import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Group } from '../../src/cli/arguments/define-command.ts'
import { root } from '../../src/cli/commands.ts'
import { table } from '../../src/cli/operations/table.ts'
import { documents } from '../harness/documents.ts'
import { petstore } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { repositoryRoot } from '../processes/process.ts'

const commands = ['serve', 'keys create', 'webhooks resume', 'seed', 'verify', 'config']
const columnsMax = 80

it('petstore --help, -h and help print the same list of commands on standard output', async () => {
  const [plain, long, short] = await Promise.all([
    petstore(['help']),
    petstoreInThread(['--help']),
    petstoreInThread(['-h']),
  ])

  assert.deepEqual([plain.code, plain.stderr], [0, ''])
  assert.match(plain.stdout, /^petstore COMMAND \[OPTIONS\]\n[\s\S]*\nCommands\n {2}serve /)
  for (const command of commands) assert.match(plain.stdout, new RegExp(`^  ${command} `, 'm'))
  assert.equal(long.stdout, plain.stdout)
  assert.equal(short.stdout, plain.stdout)
})

it('petstore --version and -v print the version of the package alone', async () => {
  const text = readFileSync(join(repositoryRoot, 'package.json'), 'utf8')
  const { version } = JSON.parse(text) as { version: string }

  for (const option of ['--version', '-v']) {
    const exit = await petstoreInThread([option])
    assert.deepEqual(exit, { code: 0, stdout: `${version}\n`, stderr: '' })
  }
})

it('each command has a page with its options and examples, also by help, in 80 columns', async () => {
  for (const command of ['', 'keys', ...commands]) {
    const words = command.split(' ').filter(Boolean)
    const exit = await petstoreInThread([...words, '--help'])
    const named = await petstoreInThread(['help', ...words])

    assert.deepEqual([exit.code, exit.stderr], [0, ''], command)
    assert.deepEqual(named, exit)
    assert.ok(exit.stdout.startsWith(['petstore', ...words, ''].join(' ')), exit.stdout)
    assert.match(exit.stdout, /\nOptions\n[\s\S]*-h, --help/)
    const wide = exit.stdout.split('\n').filter((line) => [...line].length > columnsMax)
    assert.deepEqual(wide, [])
    if (command !== 'keys') assert.match(exit.stdout, /\nExamples\n {2}.*petstore /)
  }
})

it('the examples of the pages are commands that are accepted', async () => {
  const examples = examplesIn(root)
  for (const example of examples) {
    // What a shell takes for itself.
    const words = wordsOf(example.replace(/^key=\$\((.*)\)$/, '$1').replace(/ > \S+$/, ''))
    assert.equal(words[0], 'petstore', example)
    // An unknown option at the end: all before it is accepted, and nothing is run.
    const exit = await petstoreInThread([...words.slice(1), '--no-such-option'])
    assert.match(exit.stderr, /^There is no option --no-such-option\. See petstore /, example)
  }
})

function wordsOf(line: string): string[] {
  return [...line.matchAll(/'[^']*'|[^ ]+/g)].map(([word]) => word.replace(/^'|'$/g, ''))
}

const overHttp = Object.keys(table).join('|')
const shownCommand = new RegExp(
  `(?:bin/petstore|petstore-service) ((?:${overHttp}) [^|>;\`()\\n]*[^|>;\`()\\n $])`,
  'g',
)

it('the commands over HTTP that documents show are accepted', async () => {
  const blocks = documents().flatMap((document) => document.blocks)
  const shown = blocks.flatMap(({ text }) =>
    [...text.matchAll(shownCommand)].map(([, words = '']) => words.trim()),
  )
  assert.ok(shown.length > 20)
  for (const line of shown) {
    const words = wordsOf(line.replaceAll(/\$\w+/g, '1'))
    const end = await petstoreInThread([...words, '--no-such-option'])
    assert.match(end.stderr, /^There is no option --no-such-option\./, line)
  }
})

/** Those of `keys` and `webhooks` over HTTP need a service. */
function examplesIn({ examples, commands, overHttp = {} }: Group): string[] {
  const below = { ...overHttp, ...commands }
  const others = Object.values(below).flatMap((one) =>
    'commands' in one ? examplesIn(one) : one.examples.map(([line]) => line),
  )
  return [...examples.map(([line]) => line), ...others]
}

const wrong: [args: string[], message: RegExp][] = [
  [['serv'], /^There is no command serv; did you mean serve\? See petstore --help\.\n$/],
  [['nonsense'], /^There is no command nonsense\. See petstore --help\.\n$/],
  [['help', 'keys', 'crate'], /^There is no command keys crate; did you mean keys create\? See/],
  [['--port', '1'], /^There is no option --port before a command\. See petstore --help\.\n$/],
  [['\u001b[2J\u009b'], /^There is no command \\u001b\[2J\\u009b\. See/],
  [
    ['verify', 'postgres://me:se@cret@db/pets?sslpassword=secret'],
    /^petstore verify takes no argument; received "postgres:\/\/…"\./,
  ],
  [['postgres://me:secret@db'], /^There is no command postgres:\/\/…\./],
  [['restore', 'postgres://me:secret@db/x'], /^FILE is the path of a backup, not an address\./],
  [['x'.repeat(100_000)], /^There is no command x{100}…\. See/],
  [['serve', '--env', 'staging'], /^There is no option --env; did you mean --environment\? See/],
  [['serve', '-p', '1'], /^There is no option -p\. See petstore serve --help\.\n$/],
  [['serve', 'now'], /^petstore serve takes no argument; received "now"\. See petstore serve/],
  [['serve', '--port'], /^--port needs a value\. See petstore serve --help\.\n$/],
  [['serve', '--port', '--json'], /^--port needs a value\. See petstore serve --help\.\n$/],
  [['serve', '--port', '1', '--port', '2'], /^--port is given twice: 1 and 2\. See petstore serve/],
  [
    ['serve', '--json=maybe'],
    /^--json takes no value; leave out what follows the =\. See petstore serve/,
  ],
  [
    ['pets', 'list', '--key-stdin=secret'],
    /^--key-stdin takes no value; leave out what follows the =\. See/,
  ],
  [['login', 'pet_live_secret'], /^petstore login takes no argument; received "pet_live_…"\./],
  [['serve', '--ephemeral', '--now', '2031-01-31T00:00Z'], /^--now must be an instant/],
  [['serve', '--ephemeral', '--first-id', '9223372036854775808'], /^--first-id must be/],
  [
    ['keys'],
    /^Say which: keys create, keys get-own, keys list, keys get, keys update, keys revoke or keys rotate\. See petstore keys --help\.\n$/,
  ],
  [['keys', 'create'], /^Say what the key is for: --name NAME/],
  [
    ['keys', 'create', '--name', 'a', '--scope', 'pets:eat'],
    /^--scope must be one of default, pets:read/,
  ],
  [['keys', 'create', '--name', 'a', '--valid-days', '0'], /^--valid-days must be/],
  [['keys', 'revoke', 'first'], /^ID must be an integer/],
  [
    ['keys', 'revoke', '1', '2'],
    /^petstore keys revoke takes one argument; received "2" too\. See/,
  ],
  [['seed'], /^Say how many pets: --count N, from 1 to 10,000,000\. See petstore seed --help\.\n$/],
  [['serve', '--ephemeral', '--seed', '1.5'], /^Say how many pets: --seed N/],
]

it('64 usage: an unknown command is reported on standard error, and nothing is done', async () => {
  for (const [args, message] of wrong) {
    const exit = await petstoreInThread(args)
    assert.equal(exit.code, 64, `${args.join(' ')}: ${exit.stderr}`)
    assert.match(exit.stderr, message)
    assert.match(
      exit.stderr,
      /^[^\n]+ See petstore[a-z -]* --help\.\n$/,
      'one line, and where to look',
    )
    assert.equal(exit.stdout, '', args.join(' '))
  }
})

it('64 usage: without a command the list of commands goes to standard error', async () => {
  const help = await petstoreInThread(['--help'])

  const { code, stdout, stderr } = await petstoreInThread([])

  assert.deepEqual([code, stdout], [64, ''])
  assert.equal(stderr, `No command was given.\n\n${help.stdout}`)
})
