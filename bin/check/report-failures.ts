import { relative, resolve } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { createTitles } from './test-titles.ts'

type FailEvent = Extract<TestEvent, { type: 'test:fail' }>

/** A reporter for node's test runner: a line for each file, everything about each failure, node's closing lines. */
export default async function* reportFailures(events: AsyncIterable<TestEvent>) {
  const titleOf = createTitles()
  const printed = new Map<string, string[]>()
  const failures: string[] = []

  for await (const event of events) {
    const title = titleOf(event)
    if (event.type === 'test:stdout' || event.type === 'test:stderr') {
      const file = resolve(event.data.file)
      printed.set(file, [...(printed.get(file) ?? []), event.data.message])
    } else if (event.type === 'test:fail' && isOwnFailure(event)) {
      failures.push(`${title}${placeOf(event.data)}`)
      yield describeFailure(title, event.data)
    } else if (event.type === 'test:summary' && event.data.file !== undefined) {
      yield describeFile(event.data.file, event.data)
    } else if (event.type === 'test:diagnostic' && event.data.entryFile === undefined) {
      yield `ℹ ${event.data.message}\n`
    }
    if (event.type === 'test:fail' && event.data.nesting === 0) {
      yield takePrinted(printed, resolve(event.data.entryFile ?? event.data.file ?? ''))
    }
  }
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

function placeOf({ file, line }: FailEvent['data']): string {
  return file === undefined ? '' : ` (${relative('.', file)}:${line})`
}

type Summary = Extract<TestEvent, { type: 'test:summary' }>['data']

function describeFile(file: string, { counts, duration_ms, success }: Summary): string {
  const seconds = (duration_ms / 1000).toFixed(1)
  const mark = success ? '✔' : '✖'
  return `${mark} ${relative('.', file)}: ${counts.passed} of ${counts.tests} passed, ${seconds} s\n`
}

function takePrinted(printed: Map<string, string[]>, file: string): string {
  const text = printed.get(file)?.join('') ?? ''
  printed.delete(file)
  return text === '' ? '' : `What ${relative('.', file)} printed:\n${indent(text)}\n`
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '    ')
}
