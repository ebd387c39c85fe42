import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { cases, itInFull } from '../harness/extent.ts'
import { soldOnSqlite } from '../harness/sold-on-sqlite.ts'
import { findingsOf, verify, verifyInProcess } from '../harness/verify.ts'
import { executable } from '../processes/command.ts'
import { petstoreInThread } from '../processes/command-thread.ts'
import { environmentFor } from '../processes/process.ts'

const script = spawnSync('script', ['-qec', 'true', '/dev/null'])
const onTerminal = { skip: script.status === 0 ? false : 'needs script of util-linux' }

const damage = [
  'update pets set reserved = 1 where id = 2',
  'update orders set ship_date = null where id = 3',
]
const stocks = 'select id, on_hand, reserved from pets order by id'

const clean = `ok  files: the files of the database are intact, and its rows meet its constraints
ok  schema: the tables, indexes and triggers are those that the migrations make
ok  words: records are found by the words of their names
ok  details: the details of pets can be read
ok  detailsPets: the pet of each details record exists
ok  tags: details are found by their tags
ok  photos: what is known of photos can be read
ok  photoPets: the pet of each photo record exists
ok  photoFiles: each photo has the file that was stored
ok  stock: the reserved stock of a pet is what its open orders hold, and no more than is on hand
ok  openOrders: the pet of every open order exists
ok  orders: an order has the dates that its status requires, in the right order
ok  webhooks: webhooks and their deliveries can be read
ok  events: events can be read
ok  environment: the store belongs to an environment
ok  keys: the scopes and dates of every key are valid
ok  ids: no table will assign an id again
ok  nameKeys: records are found by their names
ok  derivedColumns: generated columns match the other columns of their row
ok  texts: names, descriptions and references are texts that the interface allows

Nothing is wrong.
`
const stockFinding = `1 finding  stock: the reserved stock of a pet is what its open orders hold, and no more than is on hand
  Pet 2 has 1 on hand and 1 reserved; its open orders hold 0. Repair: set reserved to 0.
`
const ordersFinding = `1 finding  orders: an order has the dates that its status requires, in the right order
  Order 3 is shipped without a ship_date.
`
const withOrders = clean
  .replace(/^ok {2}orders: .*\n/m, ordersFinding)
  .replace('Nothing is wrong.', '1 finding: 1 for a person to decide.')
const withBoth = withOrders
  .replace(/^ok {2}stock: .*\n/m, stockFinding)
  .replace(
    /^1 finding: .*\n/m,
    '2 findings: 1 to repair with --repair, 1 for a person to decide.\n',
  )

it('verify: reports each check as passed, and changes nothing', async (t) => {
  const { env, path } = await soldOnSqlite(t)
  await petstoreInThread(['deprecations'], { env })
  const bytes = readFileSync(path, 'base64')

  const { code, stdout, stderr } = await petstoreInThread(['verify'], { env })

  assert.deepEqual([code, stdout, stderr], [0, clean, ''])
  assert.equal(readFileSync(path, 'base64'), bytes)
})

it('79 finding: verify prints a sentence for each finding and what a repair would do, and changes nothing', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(...damage)

  const { code, stdout, stderr } = await petstoreInThread(['verify'], store)

  assert.deepEqual([code, stdout, stderr], [79, withBoth, ''])
  assert.deepEqual(await store.rows(stocks), ['1|9|3', '2|1|1', '4|1|0'])
})

it('79 finding: verify prints twenty findings of a check; verify --json has all', async (t) => {
  const store = await soldOnSqlite(t)
  const dogs = Array.from({ length: 1_025 }, () => `('Rex', 'no', 1)`).join(', ')
  await store.damage(`insert into pets (name, name_key, category_id) values ${dogs}`)

  const shown = await petstoreInThread(['verify'], store)
  const { report } = await verifyInProcess(store)

  assert.equal(shown.code, 79)
  const sentence =
    /^ {2}The name_key of row \d+ of pets is "no", but its name requires "rex"\. Repair: compute it again\.$/gm
  assert.equal(shown.stdout.match(sentence)?.length, 20)
  assert.match(
    shown.stdout,
    /^1,025 findings {2}nameKeys: .*\n(?: {2}The .*\n){20} {2}and 1,005 more\n/m,
  )
  assert.match(shown.stdout, /\n\n1,025 findings: 1,025 to repair with --repair\.\n$/)
  assert.equal(findingsOf(report.checks).length, 1_025)
})

it('verify --json: one object with the checks and their findings, ids as strings, and nothing else', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(...damage)

  const { code, report, stderr } = await verify(store)

  assert.deepEqual([code, stderr, report.ok], [79, '', false])
  assert.deepEqual(Object.keys(report), ['ok', 'checks'])
  assert.deepEqual(report.checks[0], { name: 'files', ok: true, findings: [] })
  const named = (check: string) => report.checks.find(({ name }) => name === check)
  assert.deepEqual(named('stock'), {
    name: 'stock',
    ok: false,
    findings: [
      {
        record: { table: 'pets', id: '2' },
        message: 'Pet 2 has 1 on hand and 1 reserved; its open orders hold 0.',
        repair: 'set reserved to 0',
      },
    ],
  })
  assert.deepEqual(named('orders')?.findings, [
    {
      record: { table: 'orders', id: '3' },
      message: 'Order 3 is shipped without a ship_date.',
      repair: null,
    },
  ])
})

it('verify --repair: without a terminal prints the plan, changes nothing, and says to add --yes', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(...damage)

  const plain = await petstoreInThread(['verify', '--repair'], store)
  const json = await verify(store, '--repair')

  assert.deepEqual([plain.code, plain.stdout], [79, withBoth])
  assert.equal(plain.stderr, 'Nothing was changed. Add --yes to have it repaired.\n')
  assert.deepEqual([json.code, json.stderr], [79, plain.stderr])
  assert.deepEqual(Object.keys(json.report), ['ok', 'checks'])
  assert.deepEqual(await store.rows(stocks), ['1|9|3', '2|1|1', '4|1|0'])
})

it('verify --repair --yes: prints the plan, carries it out, and checks again', async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(...damage)

  const first = await petstoreInThread(['verify', '--repair', '--yes'], store)
  const second = await petstoreInThread(['verify', '--repair', '--yes'], store)

  const done = '\nRepairs done. Checked again:\n\n'
  assert.deepEqual([first.code, first.stdout, first.stderr], [79, withBoth + done + withOrders, ''])
  assert.deepEqual([second.code, second.stdout, second.stderr], [79, withOrders, ''])
  assert.deepEqual(await store.rows(stocks), ['1|9|3', '2|1|0', '4|1|0'])
})

itInFull('a terminal is asked whether to repair, and only yes repairs', onTerminal, async (t) => {
  const store = await soldOnSqlite(t)
  await store.damage(damage[0] ?? '')
  const command = executable('verify', '--repair').join(' ')
  const answerWith = (input: string) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      input,
      env: environmentFor(store.env),
      encoding: 'utf8',
      timeout: 60_000,
    })

  for (const input of cases(['n\n', '\n', 'yesterday\n', '\x04'], { quickEvery: 4 })) {
    const { status, stdout } = answerWith(input)
    assert.equal(status, 79, stdout)
    assert.match(stdout, /Do this repair\? \[y\/N\] [\s\S]*Nothing was changed\.\r\n$/)
    assert.deepEqual(await store.rows(stocks), ['1|9|3', '2|1|1', '4|1|0'], input)
  }
  const { status, stdout } = answerWith('y\n')

  assert.equal(status, 0, stdout)
  assert.match(
    stdout,
    /Do this repair\? \[y\/N\] [\s\S]*Repairs done\.[\s\S]*Nothing is wrong\.\r\n$/,
  )
  assert.deepEqual(await store.rows(stocks), ['1|9|3', '2|1|0', '4|1|0'])
})

it('64 usage: verify refuses --yes without --repair, and a store in memory', async () => {
  const env = { PETSTORE_DATABASE: 'sqlite::memory:' }

  const alone = await petstoreInThread(['verify', '--yes'], { env })
  const inMemory = await petstoreInThread(['verify'], { env })

  assert.deepEqual([alone.code, alone.stdout], [64, ''])
  assert.equal(
    alone.stderr,
    'verify takes --yes with --repair alone. See petstore verify --help.\n',
  )
  assert.deepEqual([inMemory.code, inMemory.stdout], [64, ''])
  assert.match(inMemory.stderr, /^A store in memory ends with its process: .*\.\n$/)
})
