export type NewPet = { name: string; categoryId: number; status?: string }

const names = ['Rex', 'Luna', 'Milo', 'Bella', 'Sir Barks-a-Lot', 'Zoë', 'Coco', 'Mr. Whiskers']
const statuses = ['available', 'pending', 'sold', undefined]
const categories = 50

/** The pet with this id, the same in every database. A quarter each is available, pending, sold, without status. */
export function samplePet(id: number): NewPet {
  const name = `${names[id % names.length]} ${id}`
  const categoryId = id % categories
  const status = statuses[Math.floor(id / categories) % statuses.length]
  return status === undefined ? { name, categoryId } : { name, categoryId, status }
}
