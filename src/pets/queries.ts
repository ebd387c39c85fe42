import { countScan, type List, pageQuery } from '../db/page.ts'
import type { Query, Row, Transaction } from '../db/seam.ts'
import type { NewPet, Pet, PetStatus, PetsQuery } from './contract.ts'

const pets: List<PetsQuery, Pet> = {
  table: 'pets',
  columns: 'id, name, category_id, status',
  conditionsOf: ({ status, categoryId, id }) => [
    ...(id === undefined ? [] : [{ column: 'id', anyOf: id }]),
    ...(categoryId === undefined ? [] : [{ column: 'category_id', equals: categoryId }]),
    ...(status === undefined ? [] : [{ column: 'status', equals: status }]),
  ],
  itemOf(row: Row): Pet {
    const [id, name, categoryId, status] = row as [bigint, string, bigint, PetStatus | null]
    return status === null ? { id, name, categoryId } : { id, name, categoryId, status }
  },
}

export const selectPets = pageQuery(pets)
export const countPets = countScan('countPets', pets)

export const selectPet: Query<bigint, Pet | undefined> = {
  key: String,
  async run(sql, ids) {
    const rows = await sql.all(
      `select ${pets.columns} from pets where ${sql.isAnyOf('id', '?1')}`,
      [sql.set(ids)],
    )
    const found = new Map(rows.map(pets.itemOf).map((pet) => [pet.id, pet]))
    return ids.map((id) => found.get(id))
  },
}

const inserted = [
  { name: 'name', type: 'text' },
  { name: 'category_id', type: 'bigint' },
  { name: 'status', type: 'text' },
] as const

export const insertPets: Transaction<NewPet, Pet> = {
  name: 'insertPets',
  together: true,
  async run(sql, newPets) {
    const rows = newPets.map(({ name, categoryId, status }) => [name, categoryId, status ?? null])
    const ids = await sql.insert('pets', inserted, rows)
    return newPets.map(({ name, categoryId, status }, index) => {
      const pet = { id: ids[index] as bigint, name, categoryId }
      return { value: status === undefined ? pet : { ...pet, status } }
    })
  },
}
