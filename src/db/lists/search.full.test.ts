import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Parameter, Row, Sql } from '../db.ts'
import { connect, inMemory } from '../sqlite/connection.ts'
import { listStatements } from './page.ts'

const count = 300_000

/** Records of which every sixteenth begins with `a`, and the matches that were counted, which is before they are sorted. */
function countingDatabase() {
  const connection = connect(inMemory)
  connection.exec(`create table pets (id integer primary key, name text not null) strict;
    create index pets_name on pets (name, id);
    with recursive ids (id) as (select 1 union all select id + 1 from ids where id < ${count})
    insert into pets select id, case id % 16 when 0 then 'a' else 'b' end || id from ids`)
  let counted = 0
  const all = (text: string, parameters: readonly Parameter[] = []) => {
    const rows = connection.all<Row>(text, parameters)
    if (text.startsWith('select count(*)')) counted += Number(rows[0]?.[0])
    return rows
  }
  return { sql: { ...connection, all } as unknown as Sql, counted: () => counted }
}

it('a page of matches that are everywhere is read without most of them', async () => {
  const { sql, counted } = countingDatabase()
  const { search } = listStatements<string, bigint>('pets', {
    table: 'pets',
    columns: 'id',
    conditionsOf: (name) => [{ column: 'name', startsWith: name }],
    itemOf: ([id]) => id as bigint,
  })

  for (const sort of ['id', '-id'] as const) {
    const page = { limit: 100, sort, after: BigInt(count / 2) }
    const { items } = await search.run(sql as never, { filter: 'a', page }, () => undefined)
    const expected = Array.from({ length: 100 }, (_, index) =>
      BigInt(count / 2 + (sort === 'id' ? 16 * (index + 1) : -16 * (index + 1))),
    )
    assert.deepEqual(items, expected)
  }

  assert.ok(counted() <= 2 * 11_000, `${counted()} matches were counted, of ${count / 16}`)
})
