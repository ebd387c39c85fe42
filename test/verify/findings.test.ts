import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nameKeyOf } from '../../src/contract/name-key.ts'
import { isOnPostgres } from '../harness/engine.ts'
import type { SoldStore } from '../harness/sell-in-store.ts'
import { brokenRule, soldStore } from '../harness/sold-store.ts'
import { type Found, findingsOf, messagesOf, verify } from '../harness/verify.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

/** A record with its finding and the repair, `null` where there is none. */
type Message = [record: string, message: string | RegExp]

type Case = {
  damage: readonly string[] | ((store: SoldStore) => Promise<void>)
  found: readonly Found[]
  messages?: readonly Message[]
  /** What a repair leaves: nothing, some of it, or all, and then it changes nothing. */
  left?: 'all' | readonly Found[]
  /** Rows of a query after the repair. */
  after?: Record<string, string[]>
}

const of = (check: string, table: string, ...ids: number[]) =>
  ids.map((id): Found => [check, `${table} ${id}`])
const rename = (table: string, id: number, name: string) =>
  `update ${table} set name = '${name}', name_key = '${nameKeyOf(name)}' where id = ${id}`
const details = (id: number, values: string) =>
  `insert into details (id, price_amount, price_currency, born_on, tags) values (${id}, ${values})`
const stocks = 'select id, on_hand, reserved from pets order by id'
const secret = isOnPostgres ? "decode(repeat('00', 32), 'hex')" : 'zeroblob(32)'
const webhook = (types: string, createdAt = '0') =>
  `insert into webhooks (url, types, status, secret, created_at) values ('https://shop.example/', ${types}, 'enabled', ${secret}, ${createdAt})`
const delivery = (attempts: string, dueAt: string) =>
  `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts) values (1, ${dueAt.length}, 'order.placed', 'pending', 0, ${dueAt}, '${attempts}')`

const cases: Record<string, Case> = {
  'an event that no reader can read is deleted by a repair': {
    damage: [`update events set actor = '{' where id = 2`],
    found: of('events', 'events', 2),
    messages: [['events 2', 'Row 2 of events has invalid values: actor. delete it']],
    after: { 'select count(*) from events where id = 2': ['0'] },
  },
  'details are not as the service writes them, or belong to no pet; those are deleted by a repair':
    {
      damage: [
        details(1, "'249.0', 'EUR', null, null"),
        details(2, "null, null, '2024-02-30', null"),
        details(4, `null, null, null, '["a","a"]'`),
        details(77, "'249.00', 'EUR', null, null"),
      ],
      found: [...of('details', 'details', 1, 2, 4), ...of('detailsPets', 'details', 77)],
      messages: [
        ['details 1', 'Row 1 of details has invalid values: price. null'],
        ['details 77', 'Row 77 of details belongs to a pet that does not exist. delete it'],
      ],
      left: of('details', 'details', 1, 2, 4),
      after: { 'select id from details order by id': ['1', '2', '4'] },
    },
  "reserved is more or less than the pet's open orders hold": {
    damage: [
      'update pets set reserved = reserved + 4 where id = 1',
      'update pets set reserved = 1 where id = 2',
    ],
    found: of('stock', 'pets', 1, 2),
    messages: [
      ['pets 1', 'Pet 1 has 9 on hand and 7 reserved; its open orders hold 3. set reserved to 3'],
    ],
    after: { [stocks]: ['1|9|3', '2|1|0', '4|1|0'] },
  },
  'more of a pet is reserved than is in stock': {
    damage: ['update pets set on_hand = 2 where id = 1'],
    found: [...brokenRule, ...of('stock', 'pets', 1)],
    messages: [
      [
        'pets 1',
        'Pet 1 has 2 on hand and 3 reserved; its open orders hold 3. raise on_hand to 3, since so many were promised',
      ],
    ],
    after: { [stocks]: ['1|3|3', '2|1|0', '4|1|0'] },
  },
  'reserved is not lowered while an order of the pet has an unknown status': {
    damage: [
      `update orders set status = 'bogus' where id = 2`,
      'update pets set reserved = 1 where id = 2',
    ],
    found: [...brokenRule, ...of('stock', 'pets', 1, 2), ...of('orders', 'orders', 2)],
    messages: [
      [
        'pets 1',
        'Pet 1 has 9 on hand and 3 reserved; its open orders hold 1. One of its orders has an unknown status: a person has to decide. null',
      ],
      ['orders 2', 'Order 2 has invalid values: status. null'],
    ],
    left: [...brokenRule, ...of('stock', 'pets', 1), ...of('orders', 'orders', 2)],
    after: { [stocks]: ['1|9|3', '2|1|0', '4|1|0'] },
  },
  'an open order without its pet is cancelled by a repair, unless it was shipped': {
    damage: ['delete from pets where id = 1'],
    found: of('openOrders', 'orders', 2, 3),
    messages: [
      ['orders 2', 'Order 2 is pending, but there is no pet 1. cancel it'],
      ['orders 3', 'Order 3 is shipped, but there is no pet 1. null'],
    ],
    left: of('openOrders', 'orders', 3),
    after: {
      'select status from orders order by id': [
        'expired',
        'cancelled',
        'shipped',
        'delivered',
        'cancelled',
      ],
    },
  },
  'an order whose dates do not match its status': {
    damage: [
      'update orders set expires_at = null where id = 1',
      'update orders set ship_date = created_at where id = 2',
      'update orders set ship_date = null where id = 3',
      'update orders set ship_date = created_at - 60001 where id = 4',
    ],
    found: of('orders', 'orders', 1, 2, 3, 4),
    messages: [
      ['orders 1', 'Order 1 is expired without an expires_at. null'],
      ['orders 2', 'Order 2 is pending and has a ship_date. null'],
      ['orders 3', 'Order 3 is shipped without a ship_date. null'],
      ['orders 4', /^Order 4 was shipped at \S+Z, before it was placed at \S+Z\. null$/],
    ],
    left: 'all',
  },
  'an order has a time that is outside of all dates': {
    damage: [
      'update orders set created_at = 8640000000000001 where id = 1',
      'update orders set expires_at = -62167219200001 where id = 2',
      'update orders set created_at = -9223372036854775808 where id = 4',
      'update orders set created_at = -62167219200000, expires_at = 8640000000000000 where id = 5',
    ],
    found: of('orders', 'orders', 1, 2, 4),
    messages: [
      ['orders 1', 'Order 1 has invalid values: created_at. null'],
      ['orders 2', 'Order 2 has invalid values: expires_at. null'],
    ],
    left: 'all',
  },
  'a finished order names a pet that never existed; a deleted pet is fine': {
    damage: [
      'update orders set pet_id = 3 where id = 1',
      'update orders set pet_id = 0 where id = 4',
      'update orders set pet_id = 5 where id = 5',
    ],
    found: of('orders', 'orders', 4, 5),
    messages: [
      ['orders 4', 'Order 4 is delivered, but the id 0 was never assigned to a pet. null'],
    ],
    left: 'all',
  },
  'a pet would not be found by its name': {
    damage: [
      `update pets set name_key = 'Ænne' where id = 4`,
      `update categories set name_key = 'hounds' where id = 1`,
      `update categories set canonical_name = 'hounds' where id = 1`,
      `insert into categories (name, name_key, canonical_name) values ('CATS', 'felines', 'felines')`,
    ],
    found: [...of('nameKeys', 'pets', 4), ...of('nameKeys', 'categories', 1, 3, 1, 3)],
    messages: [['categories 3', /"cats", which another row has\. null$/]],
    left: of('nameKeys', 'categories', 3, 3),
    after: {
      'select name_key from pets where id = 4': ['ænne "\\" ω'],
      'select name_key from categories order by id': ['dogs', 'cats', 'felines'],
      'select canonical_name from categories order by id': ['dogs', 'cats', 'felines'],
    },
  },
  'a pet would not be found by words of its name': {
    damage: [
      'delete from pet_words',
      'delete from pet_words_progress',
      'insert into pet_words_progress (id, last_id) values (1, 4)',
      `insert into pet_words (word, block, ids) values ('bob', 0, '0010021ab'), ('nobody', 0, '002')`,
    ],
    found: of('words', 'pets', 1, 4),
    messages: [['pets 4', /is not found by "ænne", "ω" of its name\. add/]],
    after: {
      'select word, ids from pet_words order by word': [
        'ann|001',
        'bob|0010021ab',
        'nobody|002',
        'ænne|004',
        'ω|004',
      ],
    },
  },
  'a generated column differs from what this program generates': {
    damage: async (store) => {
      await store.derive('pets', 'status', "'sold'", 2)
      await store.derive('pets', 'record', "'{}'", 4)
      await store.derive('orders', 'due_at', '7', 2)
    },
    found: [
      // One for each of the three columns, on SQLite for each of the two tables.
      ...Array.from({ length: isOnPostgres ? 3 : 2 }, (): Found => ['schema', null]),
      ...of('derivedColumns', 'pets', 2, 4),
      ...of('derivedColumns', 'orders', 2),
    ],
    messages: [
      ['pets 2', 'The status of row 2 of pets is sold, but this program generates available. null'],
    ],
    left: 'all',
  },
  'names and other texts that the interface forbids': {
    damage: [
      rename('pets', 1, 'Ann\u0007'),
      rename('pets', 2, ''),
      rename('pets', 4, '\u{1d11e}'.repeat(1001)),
      rename('categories', 1, ' \u3000'),
      "update categories set canonical_name = '' where id = 1",
      `update categories set description = '${'d'.repeat(2001)}' where id = 2`,
      `update orders set reference = '\u2028' where id = 2`,
      `update orders set reference = '${'r'.repeat(201)}' where id = 3`,
    ],
    found: [
      ...of('texts', 'pets', 1, 2, 4),
      ...of('texts', 'categories', 1, 2),
      ...of('texts', 'orders', 2, 3),
    ],
    messages: [
      ['pets 1', 'The name of row 1 of pets has a control character. null'],
      ['pets 2', 'The name of row 2 of pets is empty. null'],
      ['pets 4', 'The name of row 4 of pets has 1001 characters; the maximum is 1000. null'],
      ['categories 1', 'The name of row 1 of categories has only white space. null'],
    ],
    left: 'all',
  },
  'a key has unknown scopes or impossible dates': {
    damage: async (store) => {
      for (const name of ['a', 'b', 'c']) {
        await petstoreInThread(['keys', 'create', '--name', name], store)
      }
      await store.damage(
        `update keys set scopes = 'pets:read pets:all' where id = 2`,
        `update keys set scopes = '' where id = 3`,
        'update keys set expires_at = 8640000000000001, created_at = -62167219200001 where id = 4',
      )
    },
    found: of('keys', 'keys', 2, 3, 4),
    messages: [
      ['keys 2', 'Row 2 of keys has invalid values: scopes. null'],
      ['keys 3', 'Row 3 of keys has invalid values: scopes. null'],
      ['keys 4', 'Row 4 of keys has invalid values: created_at, expires_at. null'],
    ],
    left: 'all',
  },
  'a webhook or a delivery that cannot be read': {
    damage: [
      webhook('null'),
      webhook(`'["order.placed"'`),
      webhook('null', '8640000000000001'),
      delivery('[]', '0'),
      delivery('[', '10'),
      delivery('[]', '-62167219200001'),
    ],
    found: [...of('webhooks', 'webhooks', 2, 3), ...of('webhooks', 'webhook_deliveries', 2, 3)],
    messages: [
      ['webhooks 2', 'Row 2 of webhooks has invalid values: types. null'],
      ['webhook_deliveries 2', 'Row 2 of webhook_deliveries has invalid values: attempts. null'],
      ['webhook_deliveries 3', 'Row 3 of webhook_deliveries has invalid values: due_at. null'],
    ],
    left: 'all',
  },
}

for (const [title, { damage, found, messages = [], left = [], after = {} }] of Object.entries(
  cases,
)) {
  it(`79 finding: ${title}`, async (t) => {
    const store = await soldStore(t)
    if (typeof damage === 'function') await damage(store)
    else await store.damage(...damage)
    const contents = await store.contents()
    const remaining = left === 'all' ? found : left

    const before = await verify(store)
    const repaired = await verify(store, '--repair', '--yes')

    assert.deepEqual(findingsOf(before.report.checks), found)
    assert.deepEqual([before.code, before.report.ok, before.report.found], [79, false, undefined])
    for (const [record, message] of messages) {
      const [first = ''] = messagesOf(before.report, record)
      if (typeof message === 'string') assert.equal(first, message)
      else assert.match(first, message)
    }
    assert.deepEqual(findingsOf(repaired.report.checks), remaining)
    assert.equal(repaired.code, remaining.length === 0 ? 0 : 79, repaired.stderr)
    const isPlanned = remaining.length < found.length
    assert.deepEqual(repaired.report.found, isPlanned ? before.report.checks : undefined)
    if (!isPlanned) assert.deepEqual(await store.contents(), contents)
    for (const [query, rows] of Object.entries(after)) {
      assert.deepEqual(await store.rows(query), rows)
    }
  })
}
