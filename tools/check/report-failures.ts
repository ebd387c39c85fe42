import { relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { createTitles } from './test-titles.ts'
import { createUnended } from './unended-tests.ts'

type FailEvent = Extract<TestEvent, { type: 'test:fail' }>

/**
 * A reporter for node's test runner: everything about each failure, and node's closing lines. A process that ends before
 * its tests is a failure too, whatever its exit code.
 */
export default async function* reportFailures(events: AsyncIterable<TestEvent>) {
  const titleOf = createTitles()
  const unended = createUnended()
  const printed = new Map<string, string[]>()
  const failures: string[] = []

  for await (const event of events) {
    const title = titleOf(event)
    const early = unended.follow(event)
    if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      const file = resolve(event.data.file)
      printed.set(file, [...(printed.get(file) ?? []), event.data.message])
    } else if (early !== '') {
      failures.push(early)
      yield `✖ ${early}\n${event.type === 'test:fail' ? describeEnd(event.data) : ''}`
    } else if (event.type === 'test:fail' && isOwnFailure(event)) {
      failures.push(`${title}${placeOf(event.data)}`)
      yield describeFailure(title, event.data)
    } else if (event.type === 'test:diagnostic' && event.data.entryFile === undefined) {
      yield `ℹ ${event.data.message}\n`
    }
    if (event.type === 'test:fail' && event.data.nesting === 0) {
      yield takePrinted(printed, resolve(event.data.entryFile ?? event.data.file ?? ''))
    }
  }
  for (const early of unended.atEnd()) {
    failures.push(early)
    yield `✖ ${early}\n`
  }
  // Node counts a process that exits with 0 during its tests as a success.
  if (failures.length > 0) process.exitCode = 1
  if (failures.length > 0) yield `Failed:\n${indent(failures.join('\n'))}\n`
}

function isOwnFailure({ data }: FailEvent): boolean {
  const error: Error & { failureType?: string } = data.details.error
  return error.failureType !== 'subtestsFailed'
}

function describeFailure(title: string, data: FailEvent['data']): string {
  const { error } = data.details
  const cause = error.cause ?? error
  const text = typeof cause === 'string' ? cause : inspect(cause, { depth: 10 })
  return `✖ ${title}${placeOf(data)}\n${indent(text)}\n`
}

function describeEnd({ details }: FailEvent['data']): string {
  const { exitCode, signal } = details.error as { exitCode?: number; signal?: string | null }
  return `${indent(`It ended with ${signal ?? exitCode}.`)}\n`
}

function placeOf({ file, line }: FailEvent['data']): string {
  return file === undefined ? '' : ` (${relative('.', file)}:${line})`
}

function takePrinted(printed: Map<string, string[]>, file: string): string {
  const text = printed.get(file)?.join('') ?? ''
  printed.delete(file)
  return text === '' ? '' : `What ${relative('.', file)} printed:\n${indent(text)}\n`
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '    ')
}
