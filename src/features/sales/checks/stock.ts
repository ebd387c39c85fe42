import { oneByOne } from '../../../db/db.ts'
import { stepsOf } from '../../../db/lists/steps.ts'
import { defineCheck, findingOf, type RecordName } from '../../../db/storage.ts'
import { recordStock } from '../record-stock.ts'
import { quantityMax } from '../stock.ts'
import { type Holding, lockHolding, selectWrongHoldings, updateHolding } from './queries.ts'

export const stockCheck = defineCheck({
  name: 'stock',
  promise: 'the reserved stock of a pet is what its open orders hold, and no more than is on hand',
  async *find(sql, checkTime) {
    for await (const step of stepsOf(sql, 'pets', checkTime))
      yield* (await selectWrongHoldings(sql, step)).map(wrongHolding)
  },
  repair: oneByOne<RecordName, null>({
    name: 'repairStock',
    async run(tx, record) {
      const holding = await lockHolding(tx, BigInt(record.id))
      if (!holding || !isClear(holding)) return null
      const after = await updateHolding(tx, holding)
      recordStock(tx, record, { before: holding.stock, after, isRepair: true })
      return null
    },
  }),
})

/** Whether the quantity that open orders hold is known and in range. */
function isClear({ held, unclear }: Holding): boolean {
  return unclear === 0n && held <= quantityMax
}

function wrongHolding(holding: Holding) {
  const { petId, onHand, reserved, held, unclear } = holding
  const changes = [
    ...(reserved === held ? [] : [`set reserved to ${held}`]),
    ...(onHand >= held ? [] : [`raise on_hand to ${held}, since so many were promised`]),
  ]
  return findingOf(
    'pets',
    petId,
    `Pet ${petId} has ${onHand} on hand and ${reserved} reserved; its open orders hold ${held}.${unclear === 0n ? '' : ' One of its orders has an unknown status: a person has to decide.'}`,
    isClear(holding) ? changes.join(', ') : null,
  )
}
