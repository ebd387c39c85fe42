import type { PetStatus } from '../../../contract/pet-status.ts'
import type { Row, Sql } from '../../../db/db.ts'
import type { Step } from '../../../db/lists/steps.ts'
import { DamagedRow, orDamage } from '../../../db/records/damaged-row.ts'
import type { Order } from '../contract/orders.ts'
import { orderColumns, orderOf, updateStocks } from '../queries.ts'
import { type Stock, statusOf } from '../stock.ts'

/** The statuses of migration 0003. */
const statuses = "('pending', 'shipped', 'delivered', 'cancelled', 'expired')"

/** A pet's stock and what its open orders hold; `unclear` counts orders with an unknown status. */
export type Holding = {
  petId: bigint
  onHand: bigint
  reserved: bigint
  held: bigint
  unclear: bigint
}

const holdings = `select id, on_hand, reserved, (
    select cast(coalesce(sum(quantity), 0) as bigint) from orders
    where pet_id = pets.id and status in ('pending', 'shipped')
  ) as held, (
    select count(*) from orders where pet_id = pets.id and status not in ${statuses}
  ) as unclear from pets`

/** In one statement, so that concurrent sales cannot make the two differ. */
export async function selectWrongHoldings(sql: Sql, { after, last }: Step): Promise<Holding[]> {
  const rows = await sql.all(
    `select id, on_hand, reserved, held, unclear
    from (${holdings} where id > ?1 and id <= ?2) as step
    where held <> reserved or reserved > on_hand order by id`,
    [after, last],
  )
  return rows.map(holdingOf)
}

/** Locks a pet, and with it its orders. `stock`: as stored, within its limits or not. */
export async function lockHolding(
  sql: Sql,
  petId: bigint,
): Promise<(Holding & { stock: Stock }) | undefined> {
  const [pet] = await sql.all<[string, bigint, PetStatus | null, PetStatus | null]>(
    `select name, category_id, status, stated from pets where id = ?1${sql.forUpdate}`,
    [petId],
  )
  const [row] = await sql.all(`${holdings} where id = ?1`, [petId])
  if (!pet || !row) return undefined
  const [name, categoryId, status, stated] = pet
  const holding = holdingOf(row)
  const quantities = { onHand: Number(holding.onHand), reserved: Number(holding.reserved) }
  return { ...holding, stock: { petId, name, categoryId, status, stated, ...quantities } }
}

function holdingOf(row: Row): Holding {
  const [petId, onHand, reserved, held, unclear] = row as [bigint, bigint, bigint, bigint, bigint]
  return { petId, onHand, reserved, held, unclear }
}

/** Sets `reserved` to what open orders hold, and raises `on_hand` to it. Returns the stock then. */
export async function updateHolding(
  sql: Sql,
  { held, stock }: { held: bigint; stock: Stock },
): Promise<Stock> {
  const reserved = Number(held)
  const changed = { ...stock, reserved, onHand: Math.max(stock.onHand, reserved) }
  await updateStocks(sql, [changed])
  return { ...changed, status: statusOf(changed) }
}

type Orphan = { id: bigint; petId: bigint; status: string }

async function selectOf(
  sql: Sql,
  { after, last }: Step,
  condition: string,
  parameters: readonly bigint[] = [],
): Promise<Orphan[]> {
  const rows = await sql.all<[bigint, bigint, string]>(
    `select id, pet_id, status from orders where id > ?1 and id <= ?2 and ${condition} order by id`,
    [after, last, ...parameters],
  )
  return rows.map(([id, petId, status]) => ({ id, petId, status }))
}

/** Open orders of missing pets. */
export function selectOrphans(sql: Sql, step: Step): Promise<Orphan[]> {
  const isMissing = 'not exists (select 1 from pets where pets.id = orders.pet_id)'
  return selectOf(sql, step, `status in ('pending', 'shipped') and ${isMissing}`)
}

/** Cancels a pending order whose pet is missing; returns the order unless its row is damaged. */
export async function updateOrphanCancelled(sql: Sql, id: bigint): Promise<Order | undefined> {
  const [row] = await sql.all(
    `update orders set status = 'cancelled' where id = ?1 and status = 'pending'
    and not exists (select 1 from pets where pets.id = orders.pet_id) returning ${orderColumns}`,
    [id],
  )
  const order = row && orDamage(() => orderOf(row))
  return order instanceof DamagedRow ? undefined : order
}

/** Closed orders of a pet whose id is above this one or below the first. */
export function selectStrangers(sql: Sql, step: Step, lastPet: bigint): Promise<Orphan[]> {
  const isClosed = "status in ('delivered', 'cancelled', 'expired')"
  return selectOf(sql, step, `${isClosed} and (pet_id > ?3 or pet_id < 1)`, [lastPet])
}
