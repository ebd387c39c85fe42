import assert from 'node:assert/strict'
import type { LookupFunction } from 'node:net'
import { it } from 'node:test'
import { createSender } from './send-attempt.ts'
import { createTargets } from './targets.ts'

it('a failure of the connection names no address of this machine', async (t) => {
  const failure = Object.assign(
    new Error('connect EADDRNOTAVAIL 192.0.2.1:80 - Local (10.0.0.9:0)'),
    {
      code: 'EADDRNOTAVAIL',
      syscall: 'connect',
    },
  )
  const fail: LookupFunction = (_name, _options, callback) => callback(failure, '')
  const targets = createTargets({ hosts: ['shop.example'], isOwn: () => false })
  const sender = createSender({ ...targets, lookup: { 'http:': fail, 'https:': fail } })
  t.after(() => sender.close())

  const { error } = await sender.send({
    url: 'http://shop.example/',
    headers: {},
    body: Buffer.from('{}'),
  })

  assert.equal(error, 'The connection could not be made (EADDRNOTAVAIL).')
})
