import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { it, type TestContext } from 'node:test'
import { amount, itInFull } from '../harness/extent.ts'
import { withoutNewStore } from '../harness/new-store.ts'
import { repeatRefused } from '../harness/repeat.ts'
import { serveHere } from '../harness/serve-here.ts'
import { until } from '../harness/until.ts'
import { aDirectory, ask, executable, spawnCommand } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { type Exit, settingsFor, startService } from '../processes/process.ts'

const script = spawnSync('script', ['-qec', 'true', '/dev/null'])
const onTerminal = { skip: script.status === 0 ? false : 'needs script of util-linux' }
const summary =
  /^([\d,]+) pets?, (\d+) categor(?:y|ies), ([\d,]+) orders? in \d+\.\d s; seed "(.*)"\.\n$/

function aStore(t: TestContext): { env: Record<string, string>; path: string } {
  const directory = aDirectory(t)
  return { env: settingsFor(directory), path: join(directory, 'petstore.db') }
}

/** Seeds a store; returns how many pets, categories and orders the command reports. */
async function seed(env: Record<string, string>, ...options: string[]): Promise<number[]> {
  return countsOf(await petstoreInThread(['seed', ...options], { env }))
}

function countsOf({ code, stdout, stderr }: Pick<Exit, 'code' | 'stdout' | 'stderr'>): number[] {
  assert.deepEqual([code, stdout], [0, ''], stderr)
  const [, ...counts] = summary.exec(withoutNewStore(stderr)) ?? assert.fail(stderr)
  return counts.slice(0, 3).map((text) => Number(text.replaceAll(',', '')))
}

/** The rows of a query, read from the file directly. */
function rowsIn(path: string, text: string): unknown[] {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database
      .prepare(text)
      .all()
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

/** All rows of the tables that a seed writes to. */
function dump(path: string): string {
  const tables = ['pets', 'categories', 'orders']
  return JSON.stringify(tables.map((table) => rowsIn(path, `select * from ${table} order by id`)))
}

it('seed --count: adds as many pets, and stock and orders are consistent', async (t) => {
  const { env, path } = aStore(t)

  const count = amount({ quick: 1_000, full: 5_000 })
  const exit = await petstoreInThread(['seed', '--count', String(count)], { env })
  const [pets, categories, orders] = countsOf(exit)

  const counts = (table: string) => rowsIn(path, `select count(*) as n from ${table}`)
  assert.equal(pets, count)
  assert.deepEqual(counts('pets'), [{ n: pets }])
  assert.deepEqual(counts('categories'), [{ n: categories }])
  assert.deepEqual(counts('orders'), [{ n: orders }])
  const verified = await petstoreInThread(['verify'], { env })
  assert.equal(verified.code, 0, verified.stdout)
  const found = (select: string) => rowsIn(path, `${select} limit 1`).length === 1
  assert.ok(found(`select 1 from pets where stated = 'available' and status = 'sold'`))
  assert.ok(found(`select 1 from pets where stated = 'available' and status = 'pending'`))
  assert.ok(found('select 1 from pets where reserved between 1 and on_hand - 1'))
})

it('seed --seed: petstore by default; control characters in it are escaped on a terminal', async (t) => {
  const [standard, named] = [aStore(t), aStore(t)]

  await seed(standard.env, '--count', '10')
  await seed(named.env, '--count', '10', '--seed', 'petstore')
  const strange = await petstoreInThread(['seed', '--count=1', '--seed', '\x1b[2J"'], aStore(t))

  assert.equal(dump(standard.path), dump(named.path))
  assert.match(
    withoutNewStore(strange.stderr),
    /^1 pet, \d+ categories, [01] orders? in .* seed "\\u001b\[2J\\""\.\n$/,
  )
})

itInFull('seed: works beside a running service, which lists the new pets at once', async (t) => {
  const { env } = aStore(t)
  await using service = await startService({ env })
  const authorized = { headers: { prefer: 'count=exact' } }

  const [pets] = await seed(env, '--count', '3000')
  const listed = await ask(`${service.baseUrl}/pets?limit=1`, service.key, authorized)

  assert.equal(pets, 3_000)
  assert.equal(listed.headers.get('x-total-count'), '3000')
  assert.match(listed.text, /^\[\{"id":1,"name":"[^"]+","categoryId":\d+,"status":"\w+"\}\]$/)
})

itInFull('seed --environment: a staging store can be seeded again', async (t) => {
  const { env } = aStore(t)
  const staging = ['--environment', 'staging', '--count', '20']

  const first = await seed(env, ...staging)
  const second = await seed(env, ...staging)
  const refused = await petstoreInThread(['seed', '--count', '20'], { env })

  assert.equal(first[0], 20)
  assert.deepEqual(second, [20, 0, first[2]])
  assert.equal(refused.code, 78, 'it is no store of production')
})

it('seed --force --force: adds to a production store that is not empty; --force once, or not at all, is refused', async (t) => {
  const { env, path } = aStore(t)
  await seed(env, '--count', '20')
  const before = dump(path)

  const plain = await petstoreInThread(['seed', '--count', '30'], { env })
  const once = await petstoreInThread(['seed', '--count', '30', '--force'], { env })

  assert.deepEqual([plain.code, plain.stdout, once.code, once.stdout], [64, '', 64, ''])
  const held = `${path} is a production store with pets, categories and orders in it`
  assert.ok(plain.stderr.startsWith(held), plain.stderr)
  assert.match(
    plain.stderr,
    /; --force --force adds to it all the same\. See petstore seed --help\.\n$/,
  )
  assert.match(once.stderr, /say --force twice\. See /)
  assert.equal(dump(path), before)
  assert.deepEqual((await seed(env, '--count', '30', '--force', '--force')).slice(0, 2), [30, 0])
})

it('64 usage: seed refuses a store in memory, and an invalid count', async (t) => {
  const { env, path } = aStore(t)

  const inMemory = await petstoreInThread(['seed', '--count', '7'], {
    env: { PETSTORE_DATABASE: 'sqlite::memory:' },
  })

  assert.deepEqual([inMemory.code, inMemory.stdout], [64, ''])
  assert.match(inMemory.stderr, /^A store in memory .*: petstore serve --ephemeral --seed 7\. See /)
  for (const count of ['0', '-1', '1e3', '10000001']) {
    const exit = await petstoreInThread(['seed', `--count=${count}`], { env })
    assert.deepEqual([exit.code, exit.stdout], [64, ''], count)
    assert.match(exit.stderr, /^Say how many pets: --count N, from 1 to 10,000,000\. See /)
  }
  assert.ok(!existsSync(path))
})

itInFull('a terminal is shown the progress of a seed on one line', onTerminal, async (t) => {
  const { env, path } = aStore(t)
  const command = executable('seed', '--count', '5000').join(' ')

  const seeding = spawnCommand(t, ['script', '-qec', command, '/dev/null'], { env })
  await seeding.waitFor(/seed "petstore"/)
  await until(() => seeding.child.exitCode !== null)

  const stdout = withoutNewStore(seeding.output.stdout.replaceAll('\r\n', '\n'))
  assert.match(stdout, /\r\[-+\] {3}0 % {6}0 of 5,000 pets, {7}0 a second\x1b\[K\r/)
  assert.match(
    stdout,
    /\r\[#+-+\] {2}40 % {2}2,000 of 5,000 pets, +[\d,]+ a second, \d+ s left\x1b\[K\r/,
  )
  assert.match(stdout, /\r\[#+\] 100 % {2}5,000 of 5,000 pets/)
  const lines = stdout.split('\n')
  assert.deepEqual(lines.slice(1), [''], 'one line, drawn anew')
  assert.match(lines[0] ?? '', /\r\x1b\[K\r5,000 pets, /, 'the bar is gone at the end')
  assert.deepEqual(rowsIn(path, 'select count(*) as n from pets'), [{ n: 5_000 }])
})

itInFull(
  'serve --seed: with --ephemeral the pets are there when the service is ready',
  async (t) => {
    const directory = aDirectory(t)
    const args = ['serve', '--ephemeral', '--port', '0', '--json', '--seed', '250']
    const service = spawnCommand(t, executable(...args), { cwd: directory })
    const [line] = await service.waitFor(/.+(?=\n)/)
    const { baseUrl, key } = JSON.parse(line) as { baseUrl: string; key: string }

    const counted = { headers: { prefer: 'count=exact' } }
    const pets = await ask(`${baseUrl}/pets?limit=1`, key, counted)
    const orders = await ask(`${baseUrl}/store/orders?limit=1`, key, counted)

    assert.equal(pets.headers.get('x-total-count'), '250')
    assert.ok(Number(orders.headers.get('x-total-count')) > 0)
    assert.deepEqual(readdirSync(directory), [])
  },
)

itInFull(
  'serve --seed: an empty store that stays begins with the pets; started again it goes on with them',
  async (t) => {
    const { env } = aStore(t)
    const numbers = []
    for (const seedCount of [30, 40]) {
      await using service = await serveHere(env, { seedCount })
      const counted = { headers: { prefer: 'count=exact' } }
      const { headers } = await repeatRefused(() =>
        ask(`${service.baseUrl}/pets?limit=1`, service.key, counted),
      )
      numbers.push(headers.get('x-total-count'))
    }

    assert.deepEqual(numbers, ['30', '30'])
  },
)

it('seed --json: prints what was added as one JSON object, and nothing else', async (t) => {
  const { env } = aStore(t)
  const args = ['seed', '--count', '20', '--seed', 'the shop', '--json']

  const { code, stdout, stderr } = await petstoreInThread(args, { env })

  assert.deepEqual([code, withoutNewStore(stderr)], [0, ''])
  const { pets, categories, orders, ...rest } = JSON.parse(stdout)
  assert.equal(pets, 20)
  assert.ok(categories > 0 && orders >= 0)
  assert.deepEqual(rest, { seed: 'the shop' })
})
