import type { NewDetails } from '../../features/details/contract.ts'
import type { Dice } from './dice.ts'
import type { Species } from './species.ts'

const remarks = [
  'Quiet, and used to children.',
  'Shy at first; take your time.',
  'From our own breeding.',
  'Came to us when the owner moved.',
  'Seen by the vet last week.\nPapers come along.',
  'Eats out of the hand.',
]
const tags = 'tame young old playful calm garden indoors beginners pairs'.split(' ')

/** The day after which no demo pet is born. */
const lastBirthMs = Date.parse('2026-09-30T00:00:00Z')
const dayMs = 86_400_000

/** What the store tells about a pet of this kind; nothing of one in ten. */
export function demoDetails(dice: Dice, { prices, group }: Species): NewDetails | undefined {
  if (dice.hits(10)) return undefined
  const chosen = Array.from({ length: dice.below(3) }, () => dice.pick(tags))
  return {
    ...(dice.hits(40) && { description: dice.pick(remarks) }),
    price: { amount: amountWithin(dice, prices), currency: 'EUR' },
    ...(!group && {
      bornOn: new Date(lastBirthMs - dice.below(2_000) * dayMs).toISOString().slice(0, 10),
      sex: dice.hits(50) ? 'female' : 'male',
    }),
    ...(chosen.length > 0 && { tags: [...new Set(chosen)] }),
  }
}

/** As shops write prices: tens from 200 euros on, below that whole euros, below 20 also half ones. */
function amountWithin(dice: Dice, [least, most]: Species['prices']): string {
  const stepCents = least >= 200 ? 1_000 : least >= 20 ? 100 : 50
  const cents = least * 100 + stepCents * dice.below(((most - least) * 100) / stepCents + 1)
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}
