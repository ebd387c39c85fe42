import assert from 'node:assert/strict'
import { it } from 'node:test'
import { columnsOf } from '../../records/rows.ts'
import { connect, inMemory } from '../connection.ts'
import { readerOn } from './store-reader.ts'

it('rows are read in order, some megabytes at once, however long their texts are', async (t) => {
  const connection = connect(inMemory)
  t.after(() => connection.close())
  connection.exec(`create table notes (id integer primary key, text text) strict;
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000)
    insert into notes select n, iif(n between 1100 and 1130, printf('%.*c', 1000000, 'x'), n) from numbers`)
  const columns = [...columnsOf('bigint', 'id'), ...columnsOf('text', 'text')]

  const chunks = await Array.fromAsync(
    readerOn(connection, 'notes').read({ name: 'notes', key: ['id'], columns, generated: [] }),
  )

  const ids = chunks.flatMap(({ values = [] }) => values.map(([id]) => Number(id)))
  assert.deepEqual(
    ids,
    [...Array(3_000).keys()].map((index) => index + 1),
  )
  const longest = Math.max(...chunks.map(({ lines }) => lines.length))
  assert.ok(longest < 5e6, `${longest} bytes were read at once`)
  assert.ok(chunks.length < 30, `${chunks.length} chunks`)
})
