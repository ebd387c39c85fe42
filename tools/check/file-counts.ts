import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

type Counts = { tests: number; passed: number; failed: number; durationMs: number }

/**
 * Follows the events of a run. For an event that sums up a process it returns a line for each test file
 * that was loaded there, for others an empty string.
 */
export function createFileCounts(): (event: TestEvent) => string {
  const countsOf = new Map<string, Map<string, Counts>>()
  return (event) => {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { entryFile = '', file = '' } = event.data
      const files = countsOf.get(entryFile) ?? new Map<string, Counts>()
      countsOf.set(entryFile, files)
      // Some tests are defined by what helps several test files.
      const testFile = file.endsWith('.test.ts') ? file : entryFile
      files.set(testFile, countOne(event, files.get(testFile)))
    }
    if (event.type !== 'test:summary' || event.data.file === undefined) return ''
    const files = countsOf.get(event.data.file) ?? new Map<string, Counts>()
    return [...files].map(([file, counts]) => describe(file, counts)).join('')
  }
}

type EndEvent = Extract<TestEvent, { type: 'test:pass' } | { type: 'test:fail' }>

const none: Counts = { tests: 0, passed: 0, failed: 0, durationMs: 0 }

function countOne({ type, data }: EndEvent, before = none): Counts {
  const isTest = data.details.type !== 'suite'
  const isPassed = type === 'test:pass'
  return {
    tests: before.tests + Number(isTest),
    passed: before.passed + Number(isTest && isPassed && data.skip === undefined),
    failed: before.failed + Number(!isPassed),
    durationMs: before.durationMs + (data.nesting === 0 ? data.details.duration_ms : 0),
  }
}

function describe(file: string, { tests, passed, failed, durationMs }: Counts): string {
  const seconds = (durationMs / 1000).toFixed(1)
  const mark = failed === 0 ? '✔' : '✖'
  return `${mark} ${relative('.', file)}: ${passed} of ${tests} passed, ${seconds} s\n`
}
