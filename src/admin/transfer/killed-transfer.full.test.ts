import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../../../test/harness/app.ts'
import { at, expectServed, isRefused, sell, twoPlaces } from '../../../test/harness/moved-stores.ts'
import { declared } from '../../app/declared.ts'
import { storage } from '../../app/storage.ts'
import { systemClock, systemRandom } from '../../context/context.ts'
import { holdTarget } from '../../db/doors/open.ts'
import { transferStore } from './transfer-store.ts'

it('a service that is started where a killed transfer was writing is refused; the transfer is repeated', async (t) => {
  const { file, other } = await twoPlaces(t)
  const sold = await sell(file)
  const killed = await holdTarget(at(other), storage)
  await killed.fill({ state: 'arriving', transfer: 'killed', peer: file, markedAt: 0 })
  // The writer is not closed, which would delete what it has written.
  await killed.close()

  const start = () => startApp({ settings: { PETSTORE_DATABASE: other } })
  await assert.rejects(start(), isRefused(/transfer .* has not ended.* again: it begins anew/))
  const watch = {
    onStep: () => () => undefined,
    onProgress: () => undefined,
    warn: () => undefined,
  }
  await transferStore(
    { clock: systemClock, random: systemRandom, ...declared },
    { from: at(file), to: at(other), environment: 'staging' },
    watch,
  )

  await expectServed(other, sold)
})
