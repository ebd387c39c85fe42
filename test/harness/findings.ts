import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import {
  type Checks,
  type Finding,
  findingsOf,
  type Level,
} from '../../src/admin/doctor/finding.ts'

/** A change of facts without a fault, and the only fault that it must cause; without one it must be tolerated. */
type Case<Facts> = [change: Partial<Facts>, level?: Level, sentence?: RegExp]

/** What is wrong, and what to do: two sentences at least. */
const withRemedy = /\S[.:?] .*\S\.$/

/** Expects of a group of checks of `petstore doctor`, on faked facts, each of these faults and no others. */
export function expectFindings<Facts>(
  checks: Checks<Facts>,
  sound: Facts,
  cases: readonly Case<Facts>[],
) {
  const findings = findingsOf(checks, sound)
  assert.ok(findings.length > 0)
  assert.deepEqual(faultsIn(findings), [])
  for (const [change, level, sentence] of cases) {
    const faults = faultsIn(findingsOf(checks, { ...sound, ...change }))
    const expected = level === undefined ? [] : [level]
    assert.deepEqual(
      faults.map((fault) => fault.level),
      expected,
      inspect([change, faults]),
    )
    for (const { message } of faults) {
      assert.match(message, sentence ?? /never/)
      assert.match(message, withRemedy)
    }
  }
}

function faultsIn(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ level }) => level !== 'ok')
}
