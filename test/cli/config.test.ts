import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import fc from 'fast-check'
import { describeConfig, loadConfig } from '../../src/config/config.ts'
import type { Setting } from '../../src/config/read-setting.ts'
import { settings } from '../../src/config/settings.ts'
import { parseAddress } from '../../src/db/postgres/address.ts'
import { amount } from '../harness/extent.ts'
import { aDirectory } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

const all = Object.values(settings) as Setting<unknown>[]

it('config: prints every setting with its effective value, or a note that it has none', async () => {
  const { code, stdout, stderr } = await petstoreInThread(['config'])

  assert.deepEqual([code, stderr], [0, ''])
  const lines = stdout.trimEnd().split('\n')
  for (const [index, { name, default: standard }] of all.entries()) {
    const line = lines[index] ?? ''
    const isUnset = line === `# ${name} is not set: ${standard}`
    assert.ok(isUnset || standard.startsWith(line.slice(name.length + 1)), line)
  }
  assert.equal(lines.length, all.length)
})

it('config --environment: prints the settings for another environment', async () => {
  const { stdout } = await petstoreInThread(['config', '--environment', 'staging'])

  assert.match(stdout, /^PETSTORE_ENVIRONMENT=staging\n/)
  assert.match(stdout, /\nPETSTORE_PORT=8081\nPETSTORE_DATABASE=sqlite:data\/staging\.db\n/)
})

it('config --json: one JSON object, null where a setting has no value', async () => {
  const { code, stdout, stderr } = await petstoreInThread(['config', '--json'])

  assert.deepEqual([code, stderr], [0, ''])
  const printed = JSON.parse(stdout)
  assert.deepEqual(
    Object.keys(printed),
    all.map(({ name }) => name),
  )
  assert.deepEqual([printed.PETSTORE_PORT, printed.PETSTORE_PUBLIC_URL], ['8080', null])
})

it('config: a shell can source the output', async (t) => {
  const directory = aDirectory(t)
  const env = {
    PETSTORE_DATABASE: "sqlite:the shop's.db",
    PETSTORE_CORS_ORIGINS: 'https://a.example.com,https://b.example.com',
  }
  const { stdout } = await petstoreInThread(['config'], { env })
  writeFileSync(join(directory, 'settings'), stdout)

  const script =
    'set -a; . ./settings; printf "%s\\n%s" "$PETSTORE_DATABASE" "$PETSTORE_CORS_ORIGINS"'
  const read = execFileSync('sh', ['-ec', script], { cwd: directory, encoding: 'utf8' })

  assert.equal(read, Object.values(env).join('\n'))
})

it('every example is a valid value of its setting, and is printed as it was given', () => {
  for (const { name, example } of all) {
    const { config, warnings } = loadConfig({}, { [name]: example })
    const shown = describeConfig(config).find((effective) => effective.name === name)
    assert.equal(shown?.value, example)
    assert.deepEqual(warnings, [])
  }
})

const wrong: Record<string, string> = {
  PETSTORE_ENVIRONMENT: 'test',
  PETSTORE_HOST: '',
  PETSTORE_PORT: '65536',
  PETSTORE_DATABASE: 'data/pets.db',
  ...{ PETSTORE_PROCESSES: '0', PETSTORE_PUBLIC_URL: 'https://pets.example.com' },
  PETSTORE_SIBLING_URL: 'ftp://pets.example.com/v1',
  PETSTORE_FIRST_KEY_FILE: '',
  PETSTORE_LOG_LEVEL: 'loud',
  PETSTORE_ACCESS_LOG: 'all',
  PETSTORE_SLOW_MS: '1.5',
  PETSTORE_CORS_ORIGINS: 'https://shop.example.com/',
  PETSTORE_CONSOLE: 'yes',
  PETSTORE_METRICS_ADDRESS: 'store:99999',
  PETSTORE_SECURITY_CONTACT: 'security@example.com',
  PETSTORE_HEADERS_TIMEOUT_MS: '0',
  PETSTORE_REQUEST_TIMEOUT_MS: '1s',
  PETSTORE_RESPONSE_TIMEOUT_MS: '0',
  PETSTORE_CONNECTIONS_MAX: '0',
  PETSTORE_STREAMS_MAX: 'half',
  PETSTORE_DRAIN_MS: '-1',
  ...{ PETSTORE_RATE_LIMIT_PER_SECOND: '0', PETSTORE_RATE_LIMIT_BURST: '0.5' },
  ...{ PETSTORE_IDEMPOTENCY_KEYS_MAX: '0', PETSTORE_IDEMPOTENCY_BYTES_MAX: '1 GiB' },
  ...{ PETSTORE_IDEMPOTENCY_KEYS_TOTAL_MAX: '0', PETSTORE_IDEMPOTENCY_BYTES_TOTAL_MAX: '0' },
  PETSTORE_ORDER_HOLD_MS: '15 min',
  PETSTORE_EVENTS_KEEP_DAYS: '0',
  PETSTORE_EVENTS_MAX: '999',
  PETSTORE_DELIVERIES_MAX: '999',
  PETSTORE_WEBHOOK_HOSTS: '10/8',
  PETSTORE_SPOOL_DIRECTORY: '',
  PETSTORE_SPOOL_MAX_BYTES: '1 GiB',
}

it('78 configuration: all problems are reported at once, before anything starts', async () => {
  const { code, stdout, stderr } = await petstoreInThread(['serve'], { env: wrong })

  assert.deepEqual([code, stdout], [78, ''])
  const lines = stderr.trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => line.split(' is ')[0]),
    all.map(({ name }) => name),
  )
  for (const line of lines) assert.match(line, /^PETSTORE_\w+ is ".*"; it must be .+\.$/)
})

it('config: no password is printed, whether its setting is valid or not', async () => {
  const right = {
    PETSTORE_DATABASE:
      'postgres://shop:s3cret@db.example.com/petstore?sslmode=verify-full&passwor%64=s3cret',
  }
  const wrongs = { PETSTORE_DATABASE: 'postgre://shop:s3cret@db.example.com/petstore' }

  const shown = await petstoreInThread(['config'], { env: right })
  const refused = await petstoreInThread(['config'], { env: wrongs })

  const line =
    "PETSTORE_DATABASE='postgres://shop:********@db.example.com/petstore?sslmode=verify-full&passwor%64=********'"
  assert.ok(shown.stdout.split('\n').includes(line), shown.stdout)
  assert.match(refused.stderr, /^PETSTORE_DATABASE is "postgre:…"; it must be sqlite:PATH/)
  assert.doesNotMatch(refused.stderr + refused.stdout + shown.stderr, /s3cret/)
})

it('config: prints all of a database address but its passwords: without sslmode a copy has no TLS', () => {
  for (const [address, shown] of [
    ['postgres://shop@h/db?sslmode=verify-full&sslrootcert=/a%20b.pem'],
    ['postgresql://h:5432,[::1]:6000/db?target_session_attrs=read-write'],
    ['postgres://%2Frun%2Fpostgresql'],
    ['postgres://u%40x:hunter2%40:3@h/db', 'postgres://u%40x:********@h/db'],
    ['postgres://:hunter2@h', 'postgres://:********@h'],
    ['postgres://h/db?user=u&PASSWORD=hunter2', 'postgres://h/db?user=u&PASSWORD=********'],
    ['postgres://h/db?p%61ssword=hunter2&x', 'postgres://h/db?p%61ssword=********&x'],
    ['postgres://h/db?sslpassword=hunter2=3&', 'postgres://h/db?sslpassword=********&'],
  ] as const) {
    const { config } = loadConfig({}, { PETSTORE_DATABASE: address })
    const database = describeConfig(config).find(({ name }) => name === 'PETSTORE_DATABASE')
    assert.equal(database?.value, shown ?? address)
  }
})

it('78 configuration: no mistyped database address shows its password, wherever it is shown', () => {
  const password = 'hunter2x'
  const percentEncoded = (text: string) =>
    [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const address = fc
    .record({
      scheme: fc.constantFrom('postgres', 'postgresql', 'Postgres', 'mysql', 'file', ''),
      slashes: fc.constantFrom('://', ':/', ':', '//', ':///'),
      user: fc.constantFrom('shop:', ':', 'shop%3A', 'a@b:', 'a/b:'),
      before: fc.constantFrom('', '/', '#', '?', '@', '%40', '12/'),
      at: fc.constantFrom('@', '%40'),
      place: fc.constantFrom('h/db', 'h:5432,i/db', '[::1]', '', 'h/db?sslmode=verify-full'),
      end: fc.constantFrom('', '?password=', '&PASSWORD=', '?passwor%64=', '?sslpassword%3D'),
    })
    .map(({ scheme, slashes, user, before, at, place, end }) =>
      [scheme, slashes, user, before, password, at, place, end, end && password].join(''),
    )
  const typed = fc
    .record({
      address,
      wrap: fc.constantFrom('', 'sqlite:', 'sqlite://', 'SQLITE:', ' ', 'sqlite: '),
    })
    .chain(({ address, wrap }) =>
      fc.constantFrom(wrap + address, wrap + address.replace(/[:/@]/g, percentEncoded)),
    )
  fc.assert(
    fc.property(typed, (text) => {
      assert.doesNotMatch(shownOf(text), new RegExp(password))
    }),
    { numRuns: amount({ quick: 300, full: 3_000 }) },
  )
})

/** All that a valid or invalid address shows of itself. */
function shownOf(text: string): string {
  try {
    const { config } = loadConfig({}, { PETSTORE_DATABASE: text })
    if (config.database.engine === 'postgres') parseAddress(text)
    return JSON.stringify([config.database.name, describeConfig(config)])
  } catch (error) {
    return (error as Error).message
  }
}

it('78 configuration: commands refuse the address of a server as a path, and do not show it', async () => {
  const env = { PETSTORE_DATABASE: 'sqlite:postgres://shop:hunter2@h/db' }
  const refused = [['config'], ['deprecations'], ['serve']]
  for (const args of [...refused, ['doctor']]) {
    const { code, stdout, stderr } = await petstoreInThread(args, { env })

    assert.equal(code, args[0] === 'doctor' ? 79 : 78, args.join(' '))
    assert.match(stdout + stderr, /PETSTORE_DATABASE is "sqlite:…"; it must be sqlite:PATH with/)
    assert.doesNotMatch(stdout + stderr, /hunter2/)
  }
})

it('78 configuration: a base address with a query or fragment, even an empty one', () => {
  for (const end of ['?', '#', '?#', '?a=b', '#a']) {
    const address = `https://pets.example.com/v1${end}`
    for (const name of ['PETSTORE_PUBLIC_URL', 'PETSTORE_SIBLING_URL']) {
      assert.throws(() => loadConfig({}, { [name]: address }), /ends in \/v1/)
    }
  }
})

it('64 usage: an option with a bad value is named as it was written on the command line', async () => {
  const { code, stderr } = await petstoreInThread([
    'serve',
    '--port',
    'http',
    '--environment',
    'live',
  ])

  assert.equal(code, 64)
  assert.equal(
    stderr,
    '--environment is "live"; it must be one of production, staging.\n' +
      '--port is "http"; it must be a number from 0 to 65535. See petstore serve --help.\n',
  )
})

it('78 configuration: the variables that Kubernetes sets for a Service named petstore are explained', async () => {
  const env = { PETSTORE_PORT: 'tcp://10.3.240.5:8080' }

  const { code, stderr } = await petstoreInThread(['serve'], { env })

  assert.equal(code, 78)
  assert.match(stderr, /Kubernetes sets for a Service called petstore.*enableServiceLinks: false/)
})

it('78 configuration: invalid settings are reported with the unknown ones, and with the nearest value', () => {
  const env = { PETSTORE_DRAIN_MS: '-1', PETSTORE_ENVIRONMENT: 'stagin', PETSTORE_HSOT: '::' }

  assert.throws(() => loadConfig({}, env), {
    message:
      'PETSTORE_ENVIRONMENT is "stagin"; it must be one of production, staging; did you mean staging?\n' +
      'PETSTORE_DRAIN_MS is "-1"; it must be a number from 0 to 9999999999.\n' +
      'PETSTORE_HSOT is not a setting; did you mean PETSTORE_HOST?',
  })
})

it('an unknown setting is warned of, with the nearest known name', async () => {
  const env = { PETSTORE_DATABSE: 'sqlite:a.db', PETSTORE_LOGLEVEL: 'debug' }

  const { code, stdout, stderr } = await petstoreInThread(['config'], { env })

  assert.equal(code, 0)
  assert.deepEqual(stderr.trimEnd().split('\n').sort(), [
    'PETSTORE_DATABSE is not a setting; did you mean PETSTORE_DATABASE?',
    'PETSTORE_LOGLEVEL is not a setting; did you mean PETSTORE_LOG_LEVEL?',
  ])
  assert.doesNotMatch(stdout, /a\.db|debug/)
})

it('no warning for the other variables that Kubernetes sets for a Service named petstore', async () => {
  const env = {
    PETSTORE_SERVICE_HOST: '10.3.240.5',
    PETSTORE_SERVICE_PORT: '8080',
    PETSTORE_SERVICE_PORT_HTTP: '8080',
    PETSTORE_PORT_8080_TCP: 'tcp://10.3.240.5:8080',
    PETSTORE_PORT_8080_TCP_PROTO: 'tcp',
    PETSTORE_PORT_8080_TCP_PORT: '8080',
    PETSTORE_PORT_8080_TCP_ADDR: '10.3.240.5',
  }

  const { code, stderr } = await petstoreInThread(['config'], { env })

  assert.deepEqual([code, stderr], [0, ''])
})
