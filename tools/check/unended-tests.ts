import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

type RunningTest = { name: string; file?: string | undefined; line?: number | undefined }
type Process = { waiting: number; running: RunningTest[]; hasEnded: boolean }

/** Follows the events of a run, and reports processes that ended before their tests, with the test that was running. */
export function createUnended() {
  const processes = new Map<string, Process>()

  return {
    /** A sentence for an event by which node reports such a process; an empty string for others. */
    follow({ type, data }: TestEvent): string {
      const isEnd = type === 'test:pass' || type === 'test:fail'
      if (!isEnd && type !== 'test:enqueue' && type !== 'test:dequeue') return ''
      const path = data.entryFile ?? data.file ?? ''
      const process = processes.get(path) ?? { waiting: 0, running: [], hasEnded: false }
      processes.set(path, process)
      if (data.entryFile === undefined) {
        // Node reports a process as a whole only if it failed as such or had no test.
        if (isEnd) processes.delete(path)
        return isEnd ? describe(path, process) : ''
      }
      if (type === 'test:enqueue') process.waiting += 1
      if (type === 'test:dequeue') process.running.push(data)
      if (isEnd) end(process, data)
      return ''
    },
    /** A sentence for each that node did not report, since it ended with 0. */
    atEnd(): string[] {
      const early = [...processes].filter(([, { waiting }]) => waiting > 0)
      return early.map(([path, process]) => describe(path, process))
    },
  }
}

function end(process: Process, { name, file, line }: RunningTest) {
  const isIt = (one: RunningTest) => one.name === name && one.file === file && one.line === line
  const index = process.running.findIndex(isIt)
  if (index >= 0) process.running.splice(index, 1)
  process.waiting -= 1
  process.hasEnded = true
}

function describe(path: string, { waiting, running, hasEnded }: Process): string {
  if (waiting === 0 && hasEnded) return ''
  const title = running.map(({ name }) => name).join(' > ')
  const { file, line } = running.at(-1) ?? {}
  const place = file === undefined ? '' : ` (${relative('.', file)}:${line})`
  const where = title === '' ? 'before its first test did' : `in ${title}${place}`
  const left = waiting - running.length
  return `${relative('.', path)}: the process ended ${where}${left > 0 ? `, ${left} left` : ''}`
}
