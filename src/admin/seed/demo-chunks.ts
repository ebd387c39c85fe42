import type { PetStatus } from '../../contract/pet-status.ts'
import type { OrderStatus } from '../../features/sales/contract/orders.ts'
import { demoDetails } from './demo-details.ts'
import { demoPhotoOf, photographed } from './demo-photos.ts'
import { createDice, type Dice } from './dice.ts'
import { givenNames } from './given-names.ts'
import type { SeedChunk, SeedOrder, SeedPet } from './queries.ts'
import { type Species, speciesSold } from './species.ts'

const chunkSize = 2_000

const dayMs = 86_400_000
/** Orders are placed in the four weeks before the day, in UTC, on which they are added. */
const lengthMs = 28 * dayMs

const categories = speciesSold.map(({ category, description }) => ({ name: category, description }))
const crowd = speciesSold.flatMap((species) => Array<Species>(species.share).fill(species))

/** Pets with their categories and orders, in chunks; equal for equal count and seed on the same day. */
export function* demoChunks(count: number, seed: string, nowMs: number): Generator<SeedChunk> {
  const dice = createDice(seed)
  const endMs = nowMs - (nowMs % dayMs)
  const startMs = endMs - lengthMs
  const diceOfDetails = createDice(`${seed} details`)
  const slotMs = lengthMs / count
  const unphotographed = new Set(photographed)
  for (let first = 0; first < count; first += chunkSize) {
    const length = Math.min(chunkSize, count - first)
    const pets = Array.from({ length }, (_, index) => {
      const slot = { startMs: startMs + (first + index) * slotMs, lengthMs: slotMs, endMs }
      const pet = demoPet(dice, diceOfDetails, slot)
      const { category } = pet
      if (!unphotographed.delete(category)) return pet
      return { ...pet, photo: { file: demoPhotoOf(category), now: Math.floor(slot.startMs) } }
    })
    yield { categories, pets }
  }
}

function demoPet(dice: Dice, diceOfDetails: Dice, slot: Slot): SeedPet {
  const species = dice.pick(crowd)
  return {
    name: nameOf(dice, species),
    category: species.category,
    ...demoStock(dice, species.group?.sizeMax ?? 1, slot),
    details: demoDetails(diceOfDetails, species),
  }
}

function nameOf(dice: Dice, { breeds, colours, group }: Species): string {
  const breed = dice.pick(breeds)
  const colour = dice.pick(colours)
  if (!group) return `${dice.pick(givenNames)}, ${colour} ${breed}`
  const number = 1 + dice.below(9_999)
  return `${breed.charAt(0).toUpperCase()}${breed.slice(1)}, ${colour}, ${group.kind} ${number}`
}

type Stock = Pick<SeedPet, 'stated' | 'onHand' | 'reserved' | 'orders'>

/** When a pet's orders are placed, and when the last ones are shipped; fractional milliseconds since 1970. */
type Slot = { startMs: number; lengthMs: number; endMs: number }

const hourMs = 3_600_000
const holdMs = 48 * hourMs
/** From an order to its shipment. */
const packingMaxMs = 72 * hourMs
/** The most that one order takes of a group. */
const quantityMax = 6

/** Stated statuses, in percent. */
const available = 84
const pending = 5
const sold = 9

/** The percentage with orders: single pets have one, groups up to three. */
const orderedSingles = 22
const orderedGroups = 50

const orderStatuses: readonly OrderStatus[] = [
  ...Array<OrderStatus>(8).fill('delivered'),
  ...Array<OrderStatus>(4).fill('pending'),
  ...Array<OrderStatus>(3).fill('shipped'),
  ...Array<OrderStatus>(3).fill('cancelled'),
  ...Array<OrderStatus>(2).fill('expired'),
]

const remarks = ['Web shop', 'Collected at the counter', 'For a birthday', 'Call before delivery']

/** The stock of a pet and its orders, as if each had been placed when enough was free. */
function demoStock(dice: Dice, sizeMax: number, slot: Slot): Stock {
  const stated = statedOf(dice)
  if (stated === null) return { stated, onHand: 1, reserved: 0, orders: [] }
  if (stated === 'sold') return { stated, onHand: 0, reserved: 0, orders: [] }
  const size = 1 + dice.below(sizeMax)
  if (stated === 'pending') return { stated, onHand: size, reserved: 0, orders: [] }

  const isGroup = sizeMax > 1
  const isOrdered = dice.hits(isGroup ? orderedGroups : orderedSingles)
  const count = isOrdered ? 1 + dice.below(isGroup ? 3 : 1) : 0
  const orders: SeedOrder[] = []
  let onHand = size
  let reserved = 0
  while (orders.length < count && onHand > reserved) {
    const quantity = 1 + dice.below(Math.min(onHand - reserved, quantityMax))
    const place = (orders.length + dice.below(1_000) / 1_000) / count
    const createdAt = Math.floor(slot.startMs + place * slot.lengthMs)
    const order = demoOrder(dice, quantity, { createdAt, endMs: slot.endMs })
    orders.push(order)
    if (order.status === 'delivered') onHand -= quantity
    if (order.status === 'pending' || order.status === 'shipped') reserved += quantity
  }
  return { stated, onHand, reserved, orders }
}

function statedOf(dice: Dice): PetStatus | null {
  const place = dice.below(100)
  if (place < available) return 'available'
  if (place < available + pending) return 'pending'
  return place < available + pending + sold ? 'sold' : null
}

/** Pending orders have no expiry: a running service would expire them. */
function demoOrder(
  dice: Dice,
  quantity: number,
  { createdAt, endMs }: { createdAt: number; endMs: number },
): SeedOrder {
  const status = dice.pick(orderStatuses)
  const isSent = status === 'shipped' || status === 'delivered'
  return {
    quantity,
    status,
    ...referenceOf(dice),
    now: createdAt,
    shipDate: isSent ? Math.min(endMs, createdAt + hourMs + dice.below(packingMaxMs)) : undefined,
    expiresAt: status === 'expired' ? Math.min(endMs, createdAt + holdMs) : undefined,
  }
}

function referenceOf(dice: Dice): { reference?: string } {
  if (dice.hits(60)) return {}
  const isInvoice = dice.hits(70)
  return {
    reference: isInvoice ? `Invoice 26-${10_000 + dice.below(90_000)}` : dice.pick(remarks),
  }
}
