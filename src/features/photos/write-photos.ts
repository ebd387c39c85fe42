import type { Sql, Write } from '../../db/db.ts'
import type { Target } from '../if-match.ts'
import { writesOf } from '../record-writes.ts'
import { NewPhoto, Photo } from './contract.ts'
import { deleteFiles, photosTable, storeFile } from './queries.ts'

export const photoWrites = writesOf(
  { noun: 'photo', partOf: { record: 'pet' }, Item: Photo, New: NewPhoto },
  photosTable,
  { deleted: deleteFiles, tagOf: (photo) => tagOf(photo as Photo) },
)

/** The entity tag of the file. */
export function tagOf({ digest }: Pick<Photo, 'digest'>): string {
  return `"${digest}"`
}

type NewFile = Target & { body: Omit<Photo, 'petId'>; bytes: Uint8Array }

/** Stores photos with their files, one at a time: they are large. Refuses as `writesOf` says. */
export const replacePhoto: Write<NewFile, { record: Photo; isNew: boolean }> = {
  ...photoWrites.replace,
  isLong: true,
  async run(tx, inputs) {
    const outcomes = await photoWrites.replace.run(tx, inputs)
    for (const [index, { id, bytes }] of inputs.entries())
      if ('value' in (outcomes[index] ?? {})) await storeFile(tx, id, bytes)
    return outcomes
  },
}

/** Deletes what pets that are deleted have. */
export async function deletePhotosOf(sql: Sql, petIds: readonly bigint[]): Promise<void> {
  await photosTable.delete(sql, petIds)
  await deleteFiles(sql, petIds)
}
