import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { History, requirePassed, type SeenPet } from './history.ts'

const everything = Number.POSITIVE_INFINITY

/** Two services, pets 1 to 20 acknowledged in turn, each read by id and in a page of the other service. */
function soundRun(): { history: History; last: SeenPet[] } {
  const history = new History()
  const last: SeenPet[] = []
  for (let id = 1; id <= 20; id++) {
    const pet = { id, name: `pet-${id}` }
    acknowledge(history, pet, id * 10)
    last.push(pet)
    addRead(history, { service: 0, startMs: id * 10 + 5, from: id, to: id, pets: [pet] })
    addRead(history, { startMs: id * 10 + 6, from: 1, to: everything, pets: [...last] })
  }
  return { history, last }
}

function acknowledge(history: History, { id, name }: SeenPet, startMs: number, service = id % 2) {
  Object.assign(history.startCreate(service, name, startMs), {
    outcome: 'acknowledged',
    id,
    endMs: startMs + 3,
    content: contentOf(name),
  })
}

function contentOf(name: string): string {
  return `{"name":"${name}","categoryId":9223372036854775807}`
}

type Seen = { service?: number; startMs: number; from: number; to: number; pets: SeenPet[] }

function addRead(history: History, { service = 1, startMs, ...seen }: Seen) {
  history.addRead({ kind: 'read', service, startMs, endMs: startMs + 2, ...seen })
}

const wanted = { services: 2, faults: 1 }

describe('a history', () => {
  it('passes a correct history', () => {
    const { history, last } = soundRun()

    assert.deepEqual(history.check(last, wanted), { verdict: 'passed', reasons: [] })
  })

  it('passes an unknown outcome, stored or not', () => {
    const { history, last } = soundRun()
    history.startCreate(0, 'there', 300)
    history.startCreate(1, 'not there', 300)

    assert.equal(history.check([...last, { id: 21, name: 'there' }], wanted).verdict, 'passed')
  })

  it('passes a read that began before the create was acknowledged, and shows it or not', () => {
    const { history, last } = soundRun()
    const late = { id: 21, name: 'late' }
    acknowledge(history, late, 300)
    addRead(history, { startMs: 302, from: 1, to: everything, pets: last })
    addRead(history, { startMs: 301, from: 1, to: everything, pets: [...last, late] })

    assert.equal(history.check([...last, late], wanted).verdict, 'passed')
  })

  const plants: [string, RegExp, (history: History, last: SeenPet[]) => void][] = [
    ['a lost pet', /^lost: pet-7/, (_, last) => last.splice(6, 1)],
    [
      'a lost create of unknown outcome that a read has shown',
      /^lost: perhaps/,
      (history) => {
        history.startCreate(0, 'perhaps', 300)
        addRead(history, { startMs: 310, from: 21, to: 21, pets: [{ id: 21, name: 'perhaps' }] })
      },
    ],
    [
      'one id in two responses',
      /^reused: id 9 is pet-9 and again/,
      (history, last) => {
        acknowledge(history, { id: 9, name: 'again' }, 300)
        last.splice(9, 0, { id: 9, name: 'again' })
      },
    ],
    [
      'a pet that is stored twice',
      /^duplicated: pet-4 is 4 and 21/,
      (_, last) => last.push({ id: 21, name: 'pet-4' }),
    ],
    [
      'a read by id that is older than its request',
      /^stale: service 1, asked for 3 to 3, did not show 3/,
      (history) => addRead(history, { startMs: 100, from: 3, to: 3, pets: [] }),
    ],
    [
      'a read that no longer shows what an earlier one has shown',
      /^stale: .* did not show 21/,
      (history, last) => {
        const perhaps = { id: 21, name: 'perhaps' }
        history.startCreate(0, perhaps.name, 300)
        addRead(history, { startMs: 310, from: 21, to: 21, pets: [perhaps] })
        addRead(history, { startMs: 320, from: 21, to: 21, pets: [] })
        last.push(perhaps)
      },
    ],
    ['a foreign pet', /^foreign: 21 nobody/, (_, last) => last.push({ id: 21, name: 'nobody' })],
    [
      'a pet whose create was refused',
      /^foreign: refused was refused/,
      (history, last) => {
        history.startCreate(0, 'refused', 300).outcome = 'refused'
        last.push({ id: 21, name: 'refused' })
      },
    ],
    [
      'a pet that was read before its create was sent',
      /^foreign: early was seen before/,
      (history, last) => {
        const early = { id: 21, name: 'early' }
        addRead(history, { startMs: 300, from: 21, to: 21, pets: [early] })
        acknowledge(history, early, 310)
        last.push(early)
      },
    ],
    [
      'a pet whose category is rounded at the end',
      /^changed: 8 is .*000/,
      (_, last) => {
        const content = '{"name":"pet-8","categoryId":9223372036854776000}'
        last[7] = { id: 8, name: 'pet-8', content }
      },
    ],
    ['a wrong order', /^disordered: 1 follows 20/, (_, last) => last.push(last.shift() as SeenPet)],
    ['an odd answer', /^a 500/, (history) => history.anomalies.push('a 500')],
  ]
  for (const [what, violation, plant] of plants) {
    it(`reports ${what}`, () => {
      const { history, last } = soundRun()
      plant(history, last)

      const { verdict, reasons } = history.check(last, wanted)

      assert.equal(verdict, 'violated')
      assert.equal(reasons.length, 1, reasons.join('\n'))
      assert.match(reasons[0] as string, violation)
    })
  }

  it('is unknown when no fault happened, or nothing was acknowledged, or nothing was read', () => {
    const { history, last } = soundRun()
    const verdictOf = (given: History, pets: SeenPet[], more: object) =>
      given.check(pets, { ...wanted, ...more }).verdict

    assert.equal(verdictOf(history, last, { faults: 0 }), 'unknown')
    assert.equal(verdictOf(history, last, { sinceMs: 10_000 }), 'unknown')
    assert.equal(verdictOf(history, last, { services: 3 }), 'unknown')
    assert.equal(verdictOf(new History(), [], {}), 'unknown')
  })

  it('throws unless the verdict is passed', () => {
    assert.doesNotThrow(() => requirePassed({ verdict: 'passed', reasons: [] }))
    assert.throws(() => requirePassed({ verdict: 'unknown', reasons: ['no fault'] }), /no fault/)
    assert.throws(() => requirePassed({ verdict: 'violated', reasons: ['lost: 7'] }), /lost: 7/)
  })
})
