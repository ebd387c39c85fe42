import assert from 'node:assert/strict'
import type { Reply } from './shapes.ts'

/** What a response of this status has; throws for any other. */
export function dataOf<Data>({ status, data, error }: Reply<Data>, expected: number): Data {
  assert.deepEqual({ status, error }, { status: expected, error: undefined })
  assert.ok(data !== undefined)
  return data
}

/** Throws unless it is a plain error of this status and code. */
export function expectError({ status, error }: Reply<unknown>, expected: number, code: string) {
  assert.deepEqual({ status, code: error?.code }, { status: expected, code })
  assert.deepEqual(Object.keys(error ?? {}).sort(), ['code', 'message', 'status'])
  assert.equal(error?.status, expected)
}
