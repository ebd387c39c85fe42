import assert from 'node:assert/strict'
import { it } from 'node:test'
import { compareSkips } from '../tools/check/compare-skips.ts'

const listed = '# Why.\n\nsuite > one — too slow\ntwo — conditional: needs root\n'

it('accepts a run whose skipped tests are listed, with or without the conditional ones', () => {
  assert.deepEqual(compareSkips(listed, 'suite > one — too slow\n'), [])
  assert.deepEqual(compareSkips(listed, 'two — needs root\nsuite > one — too slow\n'), [])
})

it('reports a skipped test that is not listed, also when only its reason differs', () => {
  assert.deepEqual(compareSkips(listed, 'suite > one — too slow\ntwo — flaky\nthree — later\n'), [
    'Skipped, but not in test/skips.txt: two — flaky',
    'Skipped, but not in test/skips.txt: three — later',
  ])
})

it('reports a listed test that was not skipped', () => {
  assert.deepEqual(compareSkips(listed, ''), [
    'In test/skips.txt, but not skipped: suite > one — too slow',
  ])
})
