import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  extend,
  type Poll,
  type RecordWindow,
  refresh,
  rowsMax,
  settle,
} from '../../console/src/table/record-window.ts'

type Pet = { id: number | bigint; name: string }

const pets = (...ids: number[]): Pet[] => ids.map((id) => ({ id, name: `pet ${id}` }))
const range = (from: number, count: number) =>
  pets(...Array.from({ length: count }, (_, index) => from + index))
const none: RecordWindow<Pet> = {
  rows: [],
  firstIndex: 0,
  hasBefore: false,
  hasAfter: false,
}
const windowOf = (records: Pet[], hasAfter = false) =>
  extend(none, 'after', { records, isEnd: !hasAfter })
const shown = ({ rows }: RecordWindow<Pet>) =>
  rows.map(({ record, mark }) => (mark ? `${record.id} ${mark}` : `${record.id}`))
const poll = (records: Pet[], more: object = {}): Poll<Pet> => ({
  order: 'id',
  fromId: undefined,
  records,
  isEnd: true,
  elsewhere: [],
  ...more,
})

it('holds a bounded number of rows however far one scrolls, and says how far the first one is', () => {
  let window = windowOf(range(1, 100), true)
  for (let from = 101; from <= 5_000; from += 100) {
    window = extend(window, 'after', { records: range(from, 100), isEnd: false })
  }

  assert.equal(window.rows.length, rowsMax)
  assert.deepEqual([window.rows[0]?.record.id, window.rows.at(-1)?.record.id], [4_001, 5_000])
  assert.deepEqual([window.firstIndex, window.hasBefore], [4_000, true])

  const back = extend(window, 'before', { records: range(3_901, 100), isEnd: false })

  assert.equal(back.rows.length, rowsMax)
  assert.deepEqual([back.rows[0]?.record.id, back.rows.at(-1)?.record.id], [3_901, 4_900])
  assert.deepEqual([back.firstIndex, back.hasAfter], [3_900, true])
})

it('adds no record twice', () => {
  const window = extend(windowOf(pets(1, 2, 3), true), 'after', {
    records: pets(3, 4),
    isEnd: true,
  })

  assert.deepEqual(shown(window), ['1', '2', '3', '4'])
})

it('changes values without moving rows, and marks them', () => {
  const renamed = [
    { id: 1, name: 'pet 1' },
    { id: 2, name: 'Rex' },
  ]

  const window = refresh(windowOf(pets(1, 2)), poll(renamed))

  assert.deepEqual(shown(window), ['1', '2 changed'])
  assert.equal(window.rows[1]?.record.name, 'Rex')
})

it('leaves what is gone, and what has left, where it was until it is settled', () => {
  const elsewhere = [{ id: 3, name: 'sold meanwhile' }]

  const window = refresh(windowOf(pets(1, 2, 3, 4)), poll(pets(1, 4), { elsewhere }))

  assert.deepEqual(shown(window), ['1', '2 gone', '3 left', '4'])
  assert.equal(window.rows[2]?.record.name, 'sold meanwhile')
  assert.deepEqual(shown(refresh(window, poll(pets(1, 4)))), ['1', '2 gone', '3 left', '4'])
  assert.deepEqual(shown(settle(window)), ['1', '4'])
})

it('shows again what comes back', () => {
  const gone = refresh(windowOf(pets(1, 2, 3)), poll(pets(1, 3)))

  assert.deepEqual(shown(refresh(gone, poll(pets(1, 2, 3)))), ['1', '2 changed', '3'])
})

it('holds back what is new between rows, and adds what is new behind the last one', () => {
  const window = refresh(windowOf(pets(1, 4)), poll(pets(1, 2, 4, 5)))

  assert.deepEqual(shown(window), ['1', '4', '5'])
  assert.deepEqual(shown(settle(window)), ['1', '2', '4', '5'])
  assert.equal(settle(window).news, undefined)
})

it('holds back what is new in front of the first row, in descending order', () => {
  const window = refresh(
    windowOf(pets(4, 3), true),
    poll(pets(6, 5, 4, 3), { order: '-id', isEnd: false }),
  )

  assert.deepEqual(shown(window), ['4', '3'])
  assert.deepEqual(shown(settle(window)), ['6', '5', '4', '3'])
})

it('begins anew where more is new in front of the rows than a poll shows', () => {
  const window = windowOf(pets(4, 3, 2), true)

  const outrun = refresh(window, poll(pets(9, 8, 7), { order: '-id', isEnd: false }))

  assert.deepEqual(shown(outrun), ['4', '3', '2'])
  const settled = settle(outrun)
  assert.deepEqual(shown(settled), ['9', '8', '7'])
  assert.deepEqual([settled.hasBefore, settled.hasAfter], [false, true])
})

it('leaves the rows above that which is read where more is new behind it than a poll shows', () => {
  const window = windowOf(pets(1, 2, 9, 10), true)

  const outrun = refresh(window, poll(pets(2, 3, 4), { fromId: 2, isEnd: false }))
  const settled = settle(outrun)

  assert.deepEqual(shown(outrun), ['1', '2', '9', '10'])
  assert.deepEqual(shown(settled), ['1', '2', '3', '4'])
  assert.deepEqual([settled.firstIndex, settled.hasAfter], [0, true])
})

it('marks every row that a poll covers and does not find', () => {
  const window = windowOf(pets(1, 2, 3, 7), true)

  const left = refresh(window, poll(pets(4, 5, 6), { isEnd: false }))

  assert.deepEqual(shown(left), ['1 gone', '2 gone', '3 gone', '7'])
  assert.ok(left.news)
})

it('does not call gone what a poll did not cover', () => {
  const window = windowOf(pets(1, 2, 3, 4, 5), true)

  const later = refresh(window, poll(pets(3, 4), { fromId: 3, isEnd: false }))
  const other = refresh(window, poll(pets(3, 4), { fromId: 9, isEnd: false }))

  assert.deepEqual(shown(later), ['1', '2', '3', '4', '5'])
  assert.deepEqual(shown(other), ['1', '2', '3', '4', '5'])
})

it('an empty list fills', () => {
  assert.deepEqual(shown(refresh(none, poll(pets(1, 2)))), ['1', '2'])
})

it('the row that is read keeps its position when rows above it are settled', () => {
  const above = refresh(windowOf(pets(1, 2, 3, 4)), poll(pets(3, 4)))
  const window = refresh(above, poll(pets(3, 4), { fromId: 3 }))

  const settled = settle(window)

  assert.deepEqual(shown(settled), ['3', '4'])
  assert.equal(settled.firstIndex, 2)
})

it('takes ids beyond 2^53 apart', () => {
  const big = [9_007_199_254_740_993n, 9_007_199_254_740_994n].map((id) => ({ id, name: 'x' }))

  const window = refresh(windowOf(big), poll([big[1] as Pet]))

  assert.deepEqual(shown(window), ['9007199254740993 gone', '9007199254740994'])
})

it('news of the start waits while another part is read', () => {
  const news = refresh(windowOf(pets(4, 3, 2)), poll(pets(5, 4, 3, 2), { order: '-id' }))

  const further = refresh(news, poll(pets(3, 2), { order: '-id', fromId: 3 }))

  assert.deepEqual(shown(settle(further)), ['5', '4', '3', '2'])
})
