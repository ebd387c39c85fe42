import type { FileContext } from '../../context/context.ts'
import type { FileContent } from '../../contract/content.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { DamagedRow } from '../../db/records/damaged-row.ts'
import { petHasNo } from '../refuse.ts'
import { digestOf } from './digest.ts'
import { selectFile, selectPhoto } from './queries.ts'

/** The photo of a pet. Its file is read only where it is sent, and not sent unless it is what was stored. Throws `not_found`. */
export async function getPhoto({ db }: FileContext, petId: bigint): Promise<FileContent> {
  const photo = await db.read(selectPhoto, petId)
  if (!photo) throw petHasNo('photo', petId)
  const { type, digest, sizeBytes, updatedAt } = photo
  return {
    mediaType: type,
    sizeBytes,
    tag: digest,
    name: `pet-${petId}.${type.slice('image/'.length)}`,
    modifiedAt: Date.parse(updatedAt),
    async *read(start, end) {
      const file = await db.read(selectFile, { petId, digest })
      if (!file) {
        throw new ServiceError(
          'unavailable',
          `The photo of pet ${petId} was replaced before it was read. Send the request again.`,
        )
      }
      if (digestOf(file) !== digest) throw new DamagedRow('photo_files', petId, 'bytes')
      yield file.subarray(start, end)
    },
  }
}
