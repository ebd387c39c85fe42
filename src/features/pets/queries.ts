import { member } from '../../contract/member.ts'
import { nameKeyOf } from '../../contract/name-key.ts'
import type { PetStatus } from '../../contract/pet-status.ts'
import { sheetFormats } from '../../contract/sheets.ts'
import * as Type from '../../contract/type.ts'
import { wordsOf } from '../../contract/words.ts'
import { defineWrite, type Sql } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { exportOf } from '../../db/lists/export.ts'
import { type JsonText, listStatements } from '../../db/lists/page.ts'
import type { WordIndex } from '../../db/lists/word-index.ts'
import { DamagedRow } from '../../db/records/damaged-row.ts'
import { defineTable } from '../../db/records/records.ts'
import { columnsOf } from '../../db/records/rows.ts'
import { category } from '../categories/contract.ts'
import { detailsColumns } from '../details/contract.ts'
import type { Stock } from '../sales/stock.ts'
import { type NewPet, type Pet, type PetsFilter, pet } from './contract.ts'

export const petWords: WordIndex = {
  table: 'pets',
  column: 'name',
  wordsOf,
  postings: 'pet_words',
  progress: 'pet_words_progress',
}

const pets = {
  table: 'pets',
  conditionsOf: ({ status, categoryId, id, name, search }: PetsFilter) => [
    ...(id === undefined ? [] : [{ column: 'id', anyOf: id }]),
    ...(categoryId === undefined ? [] : [{ column: 'category_id', equals: categoryId }]),
    ...(status === undefined ? [] : [{ column: 'status', equals: status }]),
    ...(name === undefined ? [] : [{ column: 'name_key', startsWith: nameKeyOf(name) }]),
    ...(search === undefined ? [] : [{ column: 'name', begins: wordsOf(search), index: petWords }]),
  ],
}

export const petsList = listStatements<PetsFilter, JsonText>('pets', {
  ...pets,
  // The JSON text of the response. A separate id would cost one more value for each pet of a page.
  columns: 'record',
  idOf: ([record]) => idIn(record as JsonText),
  itemOf: ([record]) => recordOf(record),
})

const petTable = defineTable('pets', pet.Item)

const { id, name, ...others } = pet.Item.properties
const categoryName = member(category.Item.properties.name, {
  column: '(select name from categories where categories.id = pets.category_id)',
})
const exportedTable = defineTable(
  'pets',
  Type.Object({ id, name, category: Type.Optional(categoryName), ...others, ...detailsColumns }),
)

export const petsExport = exportOf(
  'pets',
  { ...pets, ...exportedTable, table: 'pets left join details using (id)' },
  sheetFormats(exportedTable.members),
)

/** The first member of every record is its id. */
function idIn(record: JsonText): bigint {
  return BigInt(record.slice('{"id":'.length, record.indexOf(',')))
}

export const selectPet = queryById({
  table: 'pets',
  columns: 'id, record',
  itemOf: ([, record]) => recordOf(record),
})

/** The JSON text that the database generates (`migrations/`). */
const soundRecord =
  /^\{"id":[1-9]\d*,"name":"(?:[^"\\\u0000-\u001f\u007f-\u009f]|\\["\\])+","categoryId":(?:0|-?[1-9]\d*)(?:,"status":"(?:available|pending|sold)")?\}$/

/** Throws DamagedRow for a text that is no JSON. */
function recordOf(record: unknown): JsonText {
  if (typeof record === 'string' && soundRecord.test(record)) return record as JsonText
  throw new DamagedRow('pets', /^\{"id":(\d+)/.exec(String(record))?.[1] ?? '?', 'record')
}

/** The pet of a locked row. Throws DamagedRow. */
export function petIn({ petId, name, categoryId, status }: Stock): Pet {
  return petTable.itemOf([petId, name, categoryId, status])
}

const textColumns = ['name', 'name_key', 'stated']

const insertedColumns = [
  ...columnsOf('text', ...textColumns),
  ...columnsOf('bigint', 'category_id', 'on_hand'),
]

/** Returns the ids alone: who sent a pet knows the rest, which is not copied back from the writer's thread. */
export const insertPets = defineWrite<NewPet, bigint>({
  name: 'insertPets',
  async run(tx, newPets) {
    const rows = newPets.map(({ name, categoryId, status }) => [
      ...[name, nameKeyOf(name), status ?? null, categoryId, initialStock(status)],
    ])
    const records = newPets.map((input) => {
      const { name, categoryId, status } = input
      const data = { name, categoryId, ...(status === undefined ? {} : { status }) }
      return { input, type: 'pet.created', record: 'pet', data }
    })
    const ids = await tx.create('pets', insertedColumns, rows, records)
    return ids.map((value) => ({ value }))
  },
})

/** The stock of a new pet: one, or none where it is created as sold. */
export function initialStock(status: PetStatus | undefined): number {
  return status === 'sold' ? 0 : 1
}

/** Stores the names, categories and stated statuses of locked pets. */
export async function updatePets(sql: Sql, stocks: readonly Stock[]): Promise<void> {
  if (stocks.length === 0) return
  const { from, parameters } = sql.rows(
    [...columnsOf('bigint', 'id', 'category_id'), ...columnsOf('text', ...textColumns)],
    stocks.map(({ petId, name, categoryId, stated }) => [
      petId,
      categoryId,
      name,
      nameKeyOf(name),
      stated,
    ]),
  )
  await sql.all(
    `update pets set name = input.name, name_key = input.name_key, category_id = input.category_id,
      stated = input.stated
    from ${from} where pets.id = input.id`,
    parameters,
  )
}

export async function deletePets(sql: Sql, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return
  await sql.all(`delete from pets where ${sql.isAnyOf('id', '?1')}`, [sql.set(ids)])
}
