import { demoStock, type Slot } from './demo-stock.ts'
import { createDice, type Dice } from './dice.ts'
import { givenNames } from './given-names.ts'
import type { SeedChunk, SeedPet } from './queries.ts'
import { type Species, speciesSold } from './species.ts'

const chunkSize = 2_000

/** Orders are placed in these four weeks, whatever the time of day: a seed always gives the same data. */
const startMs = Date.parse('2026-10-05T00:00:00Z')
const lengthMs = 28 * 86_400_000

const categories = speciesSold.map(({ category, description }) => ({ name: category, description }))
const crowd = speciesSold.flatMap((species) => Array<Species>(species.share).fill(species))

/** Pets with their categories and orders, in chunks; equal for equal count and seed. */
export function* demoChunks(count: number, seed: string): Generator<SeedChunk> {
  const dice = createDice(seed)
  const slotMs = lengthMs / count
  for (let first = 0; first < count; first += chunkSize) {
    const length = Math.min(chunkSize, count - first)
    const pets = Array.from({ length }, (_, index) =>
      demoPet(dice, { startMs: startMs + (first + index) * slotMs, lengthMs: slotMs }),
    )
    yield { categories, pets }
  }
}

function demoPet(dice: Dice, slot: Slot): SeedPet {
  const species = dice.pick(crowd)
  return {
    name: nameOf(dice, species),
    category: species.category,
    ...demoStock(dice, species.group?.sizeMax ?? 1, slot),
  }
}

function nameOf(dice: Dice, { breeds, colours, group }: Species): string {
  const breed = dice.pick(breeds)
  const colour = dice.pick(colours)
  if (!group) return `${dice.pick(givenNames)}, ${colour} ${breed}`
  const number = 1 + dice.below(9_999)
  return `${breed.charAt(0).toUpperCase()}${breed.slice(1)}, ${colour}, ${group.kind} ${number}`
}
