/** Orders, stock, and writes that share a transaction. */
export const orders = `
orders: shares the read of two references that look like each other with their filters
  tests: src/features/sales/list-orders.test.ts
  src/db/lists/page.ts
  - 'equals' in condition && typeof condition.equals === 'string'
  + 'equals' in condition && condition.column === 'none'
orders: promises a pet twice
  tests: test/faults/orders-fight.full.test.ts
  src/features/sales/reservations.ts
  - if (status === 'pending' && stated === 'available') {
  + if (status === 'sold') {
  src/features/sales/reservations.ts
  - if (status === 'sold' || status === 'pending')
  + if (status === 'sold')
  src/features/sales/reservations.ts
  - if (free < quantity) {
  + if (Number.isNaN(free)) {
  migrations/sqlite/0001_pets.sql
  -  check (reserved between 0 and on_hand)
  +
orders: expires an order, and its pet stays held
  tests: test/faults/orders-kill.full.test.ts
  src/features/sales/lock-and-expire.ts
  -     release(stock, order.quantity)
orders: delivers an order, and its pet stays held
  tests: test/faults/orders-fight.full.test.ts
  src/features/sales/reservations.ts
  - stock.onHand -= quantity
  -   setReserved(stock, stock.reserved - quantity)
  + stock.onHand -= quantity
orders: stores the idempotency key after its order, not with it
  tests: test/faults/orders-kill.full.test.ts
  src/db/writes/run-write.ts
  - await claims.insert(results)
  + setTimeout(claims.insert, 100, results)
orders: an order that changes the stock has no event of the pet
  tests: src/features/sales/move-order.test.ts
  src/features/sales/move-order.ts
  -         recordStock(tx, move, { before, after: stock })
orders: an order that is placed has no event
  tests: test/faults/orders-kill.full.test.ts
  src/features/sales/create-order.ts
  -       tx.record(order, { type: 'order.placed', record: 'order', id: data.id, data })
orders: an order that expires has no event
  tests: src/features/sales/expire-orders.test.ts
  src/features/sales/lock-and-expire.ts
  -     tx.record(undefined, { type: 'order.expired', record: 'order', id, data: order, before, actor })
writes the witness after the answer
  tests: src/db/sqlite/loss/witness.test.ts
  src/db/sqlite/serving/writer.ts
  -       commits.witness()
  +       setImmediate(commits.witness)
writes: a refusal undoes its neighbours
  tests: src/db/writes/run-write.test.ts
  src/db/sqlite/serving/commit.ts
  - 'rollback to input; release input'
  + 'rollback; begin immediate'
writes: what a refused input wrote stays
  tests: src/db/writes/run-write.test.ts
  src/db/sqlite/serving/commit.ts
  - 'rollback to input; release input'
  + 'release input'
writes: the event of a refused input stays
  tests: src/db/writes/run-write.test.ts
  src/db/writes/run-write.ts
  -       if ('refusal' in outcome) recorded.length = before
  src/db/writes/run-write.ts
  - if ('value' in (ran[index] as Ran)) origins
  + origins
writes: a refusal is answered as a success
  tests: src/db/writes/run-write.test.ts src/features/batches.test.ts
  src/db/sqlite/serving/serve.ts
  -     throw new Refusal(code, message, details)
  +     return { value: { code, message, details } }
writes: a success is answered as the refusal of a neighbour
  tests: src/features/batches.test.ts
  src/db/writes/run-write.ts
  - if (outcomes.length === jobs.length) return outcomes
  + if (outcomes.length === jobs.length) return outcomes.toReversed()
writes: two requests with one key are both performed when they share a batch
  tests: src/db/writes/run-write.test.ts
  src/db/writes/run-write.ts
  - if (firsts.has(id) || (
  + if ((
  src/db/writes/run-write.ts
  - firsts.set(id, job)
  + firsts.set(firsts.has(id) ? job : id, job)
  src/db/writes/idempotency.ts
  - if (stored.length < results.length) throw
  + if (stored.length > results.length) throw
writes: stores a claim without its result
  tests: src/db/writes/run-write.test.ts
  src/db/writes/idempotency.ts
  - encodeTagged(isWithheld ? withheld : value)
  + encodeTagged(withheld)
writes: stores a claim for a refusal
  tests: src/db/writes/run-write.test.ts
  src/db/writes/run-write.ts
  - else if (job.claim) refused.push(job.claim)
  + else if (job.claim) results.push(resultOf(job.claim, null))
orders: gives the last units to those who ordered last
  tests: src/features/batches.test.ts
  src/features/sales/create-order.ts
  - orders.map((order) => {
  + orders.toReversed().map((order) => {
  src/features/sales/create-order.ts
  - accepted.push(
  + accepted.unshift(
  src/features/sales/create-order.ts
  -       return shortage
  -     })
  +       return shortage
  +     }).reverse()
`
