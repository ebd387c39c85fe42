import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createObservers, reportTo } from './observe.ts'

it('nothing is observed or reported where nobody subscribes to it', () => {
  const onlyEnds = [{ ended: () => undefined }]

  assert.equal(createObservers([]), undefined)
  for (const method of ['committed', 'eventRead', 'webhookAttempted'] as const)
    assert.equal(reportTo(onlyEnds, method), undefined)
})
