import type { Query, Sql, Tx } from '../../db/db.ts'
import { queryById } from '../../db/lists/by-id.ts'
import { listStatements } from '../../db/lists/page.ts'
import { defineTable } from '../../db/records/records.ts'
import { Photo, type PhotosFilter } from './contract.ts'

export const photosTable = defineTable('photos', Photo)

export const photosList = listStatements<PhotosFilter, Photo>('photos', {
  ...photosTable,
  conditionsOf: ({ petId }) => (petId === undefined ? [] : [{ column: 'id', anyOf: petId }]),
})

export const selectPhoto = queryById(photosTable)

/** Which photo of a pet. */
type Version = { petId: bigint; digest: string }

/** The file of a photo; undefined where the pet has another one, or none. */
export const selectFile: Query<Version, Uint8Array | undefined> = {
  key: ({ petId, digest }) => `${petId} ${digest}`,
  async run(sql, versions) {
    const files: (Uint8Array | undefined)[] = []
    for (const version of versions) files.push(await fileOf(sql, version))
    return files
  },
}

async function fileOf(sql: Sql, { petId, digest }: Version): Promise<Uint8Array | undefined> {
  const [row] = await sql.all<[Uint8Array]>(
    `select photo_files.bytes from photo_files join photos on photos.id = photo_files.id
    where photos.id = ?1 and photos.digest = ?2`,
    [petId, digest],
  )
  return row?.[0]
}

/** The file under the id of a pet, whatever is known of it. */
export async function selectBytes(sql: Sql, petId: bigint): Promise<Uint8Array | undefined> {
  const rows = await sql.all<[Uint8Array]>('select bytes from photo_files where id = ?1', [petId])
  return rows[0]?.[0]
}

/** The ids of files of which nothing is known. */
export async function selectStrayFiles(sql: Sql): Promise<bigint[]> {
  const rows = await sql.all<[bigint]>(
    `select id from photo_files
    where not exists (select 1 from photos where photos.id = photo_files.id) order by id`,
  )
  return rows.map(([id]) => id)
}

/** What is stored already is not written again. */
export async function storeFile(tx: Tx, id: bigint, bytes: Uint8Array): Promise<void> {
  await tx.all(
    `insert into photo_files (id, bytes) values (?1, ?2)
    on conflict (id) do update set bytes = excluded.bytes where photo_files.bytes <> excluded.bytes`,
    [id, bytes],
  )
}

export async function deleteFiles(sql: Sql, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return
  await sql.all(`delete from photo_files where ${sql.isAnyOf('id', '?1')}`, [sql.set(ids)])
}
