import assert from 'node:assert/strict'
import { it } from 'node:test'
import { nameKeyOf } from '../../src/contract/name-key.ts'
import { isOnPostgres } from '../harness/engine.ts'
import type { SoldStore } from '../harness/sell-in-store.ts'
import { brokenRule, soldStore } from '../harness/sold-store.ts'
import { type Found, findingsOf, messagesOf, verify } from '../harness/verify.ts'
import { petstoreInThread } from '../processes/command-thread.ts'

/** Expects these findings and no others, and that a repair changes nothing. */
async function expectLeft(store: SoldStore, expected: Found[]) {
  const contents = await store.contents()

  const { code, report, stderr } = await verify(store, '--repair', '--yes')

  assert.deepEqual(findingsOf(report.checks), expected)
  assert.deepEqual([code, report.found], [79, undefined], stderr)
  assert.deepEqual(await store.contents(), contents)
  return report
}

it('79 finding: reserved is not lowered while an order of the pet has an unknown status', async (t) => {
  const store = await soldStore(t)
  await store.damage(
    `update orders set status = 'bogus' where id = 2`,
    'update pets set reserved = 1 where id = 2',
  )

  const { code, report } = await verify(store, '--repair', '--yes')

  const left: Found[] = [...brokenRule, ['stock', 'pets 1'], ['orders', 'orders 2']]
  assert.deepEqual([code, findingsOf(report.checks)], [79, left])
  assert.deepEqual(messagesOf(report, 'pets 1'), [
    'Pet 1 has 9 on hand and 3 reserved; its open orders hold 1. One of its orders has an unknown status: a person has to decide. null',
  ])
  assert.deepEqual(messagesOf(report, 'orders 2'), ['Order 2 has the unknown status "bogus". null'])
  assert.deepEqual(await store.rows('select id, on_hand, reserved from pets order by id'), [
    '1|9|3',
    '2|1|0',
    '4|1|0',
  ])
})

it('79 finding: an order has a time that is outside of all dates', async (t) => {
  const store = await soldStore(t)
  await store.damage(
    'update orders set created_at = 8640000000000001 where id = 1',
    'update orders set expires_at = -62167219200001 where id = 2',
    'update orders set ship_date = 8640000000000001 where id = 3',
    'update orders set created_at = -9223372036854775808 where id = 4',
    'update orders set created_at = -62167219200000, expires_at = 8640000000000000 where id = 5',
  )

  const report = await expectLeft(
    store,
    [1, 2, 3, 4].map((id): Found => ['orders', `orders ${id}`]),
  )

  assert.deepEqual(
    [1, 2, 3, 4].flatMap((id) => messagesOf(report, `orders ${id}`)),
    [
      'Order 1 has the created_at 8640000000000001, which is not a valid date. null',
      'Order 2 has the expires_at -62167219200001, which is not a valid date. null',
      'Order 3 has the ship_date 8640000000000001, which is not a valid date. null',
      'Order 4 has the created_at -9223372036854775808, which is not a valid date. null',
    ],
  )
})

it('79 finding: a finished order names a pet that never existed; a deleted pet is fine', async (t) => {
  const store = await soldStore(t)
  await store.damage(
    'update orders set pet_id = 3 where id = 1',
    'update orders set pet_id = 0 where id = 4',
    'update orders set pet_id = 5 where id = 5',
  )

  const report = await expectLeft(store, [
    ['orders', 'orders 4'],
    ['orders', 'orders 5'],
  ])

  assert.deepEqual(messagesOf(report, 'orders 4'), [
    'Order 4 is delivered, but the id 0 was never assigned to a pet. null',
  ])
  assert.deepEqual(messagesOf(report, 'orders 5'), [
    'Order 5 is cancelled, but the id 5 was never assigned to a pet. null',
  ])
})

it('79 finding: names and other texts that the interface forbids', async (t) => {
  const store = await soldStore(t)
  const rename = (table: string, id: number, name: string) =>
    `update ${table} set name = '${name}', name_key = '${nameKeyOf(name)}' where id = ${id}`
  await store.damage(
    rename('pets', 1, 'Ann\u0007'),
    rename('pets', 2, ''),
    rename('pets', 4, '\u{1d11e}'.repeat(1001)),
    rename('categories', 1, ' \u3000'),
    `update categories set description = '${'d'.repeat(2001)}' where id = 2`,
    `update orders set reference = '\u2028' where id = 2`,
    `update orders set reference = '${'r'.repeat(201)}' where id = 3`,
  )

  const report = await expectLeft(store, [
    ['texts', 'pets 1'],
    ['texts', 'pets 2'],
    ['texts', 'pets 4'],
    ['texts', 'categories 1'],
    ['texts', 'categories 2'],
    ['texts', 'orders 2'],
    ['texts', 'orders 3'],
  ])

  const texts = report.checks.find(({ name }) => name === 'texts')
  assert.deepEqual(
    texts?.findings.map(({ message }) => message),
    [
      'The name of row 1 of pets has a control character.',
      'The name of row 2 of pets is empty.',
      'The name of row 4 of pets has 1001 characters; the maximum is 1000.',
      'The name of row 1 of categories has only white space.',
      'The description of row 2 of categories has 2001 characters; the maximum is 2000.',
      'The reference of row 2 of orders has only white space.',
      'The reference of row 3 of orders has 201 characters; the maximum is 200.',
    ],
  )
})

it('79 finding: a key has unknown scopes or impossible dates', async (t) => {
  const store = await soldStore(t)
  for (const name of ['a', 'b', 'c'])
    await petstoreInThread(['keys', 'create', '--name', name], store)
  await store.damage(
    `update keys set scopes = 'pets:read pets:all' where id = 2`,
    `update keys set scopes = '' where id = 3`,
    'update keys set expires_at = 8640000000000001, created_at = -62167219200001 where id = 4',
  )

  const report = await expectLeft(store, [
    ['keys', 'keys 2'],
    ['keys', 'keys 3'],
    ['keys', 'keys 4'],
  ])

  assert.deepEqual(
    [2, 3, 4].flatMap((id) => messagesOf(report, `keys ${id}`)),
    [
      'Key 2 has the unknown scope "pets:all". null',
      'Key 3 has no scope. null',
      'Key 4 has the created_at -62167219200001, which is not a valid date and the expires_at 8640000000000001, which is not a valid date. null',
    ],
  )
})

it('79 finding: a webhook or a delivery that cannot be read, or a webhook without a place in the log', async (t) => {
  const store = await soldStore(t)
  const secret = isOnPostgres ? "decode(repeat('00', 32), 'hex')" : 'zeroblob(32)'
  const webhook = (types: string, createdAt = '0') =>
    `insert into webhooks (url, types, status, secret, created_at) values ('https://shop.example/', ${types}, 'enabled', ${secret}, ${createdAt})`
  const delivery = (attempts: string, dueAt: string) =>
    `insert into webhook_deliveries (webhook_id, event_id, event_type, status, created_at, due_at, attempts) values (1, ${dueAt.length}, 'order.placed', 'pending', 0, ${dueAt}, '${attempts}')`
  await store.damage(
    webhook('null'),
    webhook(`'["order.placed"'`),
    webhook('null', '8640000000000001'),
    'insert into webhook_queues (webhook_id, position, lease_ends_at, fence) values (1, 0, 0, 0), (2, 0, 0, 0)',
    delivery('[]', '0'),
    delivery('[', '10'),
    delivery('[]', '-62167219200001'),
  )

  const report = await expectLeft(store, [
    ['webhooks', 'webhooks 2'],
    ['webhooks', 'webhooks 3'],
    ['webhooks', 'webhook_deliveries 2'],
    ['webhooks', 'webhook_deliveries 3'],
    ['webhooks', 'webhooks 3'],
  ])

  const found = report.checks.find(({ name }) => name === 'webhooks')
  assert.deepEqual(
    found?.findings.map(({ message }) => message),
    [
      'Row 2 of webhooks has invalid values: types.',
      'Row 3 of webhooks has invalid values: created_at.',
      'Row 2 of webhook_deliveries has invalid values: attempts.',
      'Row 3 of webhook_deliveries has invalid values: due_at.',
      'Webhook 3 has no row in webhook_queues, so nothing is sent to it.',
    ],
  )
})
