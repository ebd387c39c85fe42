import assert from 'node:assert/strict'
import { it } from 'node:test'
import { terminalLines } from './terminal-lines.ts'

const time = new Date(2027, 0, 1, 15, 4, 5).getTime()
const request = {
  ...{ level: 30, time, pid: 1, hostname: 'a', requestId: 'b-1', method: 'GET' },
  ...{ url: '/v1/pets?limit=2', operation: 'listPets', status: 200, durationMs: 1.25 },
  ...{ keyId: 1, address: '127.0.0.1', msg: 'request' },
}

function show(line: object, { hasColors = false, columns = 80 } = {}): string {
  const stream = { hasColors: () => hasColors, columns } as Parameters<typeof terminalLines>[0]
  return terminalLines(stream)(`${JSON.stringify(line)}\n`)
}

it('a request is one line: time, status, target, duration', () => {
  assert.equal(show(request), '15:04:05  200  GET /v1/pets?limit=2  1.3 ms\n')
})

it('a failure shows its cause below', () => {
  const err = { type: 'Error', message: 'Why', stack: 'Error: Why\n    at file.ts:1:1' }

  const shown = show({
    ...request,
    level: 50,
    status: 500,
    code: 'internal_error',
    err,
    msg: 'No.',
  })

  assert.equal(
    shown,
    '15:04:05  500  GET /v1/pets?limit=2  1.3 ms  internal_error\n    No.\n    Error: Why\n        at file.ts:1:1\n',
  )
})

it('other lines show their level, and what else they say', () => {
  const line = { level: 40, time, pid: 1, hostname: 'a', reason: 'The disk is full.', msg: 'Hm.' }

  assert.equal(show(line), '15:04:05  warn  Hm.\n    reason: The disk is full.\n')
})

it('nothing in a line controls the terminal', () => {
  const hostile = '\u001b[2J\u009b31m\r\n\u202e'
  const line = { ...request, url: hostile, code: hostile, err: { stack: hostile }, msg: hostile }

  assert.match(show(line), /^[ -~…\n]*$/)
})
