import { ownersCheck } from '../../db/checks/owners.ts'
import { readableCheck } from '../../db/checks/readable.ts'
import { defineStorage } from '../../db/storage.ts'
import { photosCheck } from './check-photos.ts'
import { photosList, photosTable } from './queries.ts'
import { photoWrites, replacePhoto } from './write-photos.ts'

export const storage = defineStorage({
  tables: [{ name: 'photos', ...photosTable.declared }, { name: 'photo_files' }],
  writes: [replacePhoto, photoWrites.delete],
  scans: [photosList.search, photosList.count],
  checks: [
    readableCheck('photos', 'what is known of photos can be read', [photosTable]),
    ownersCheck(photosTable, { name: 'photoPets', noun: 'photo', owner: 'pet' }),
    photosCheck,
  ],
})
