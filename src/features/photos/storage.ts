import { readableCheck } from '../../db/checks/readable.ts'
import { defineStorage } from '../../db/storage.ts'
import { photosCheck } from './check-photos.ts'
import { photosList, photosTable } from './queries.ts'
import { deletePhoto, photoWrites, replacePhoto } from './write-photos.ts'

export const storage = defineStorage({
  tables: [{ name: 'photos', ...photosTable.declared }, { name: 'photo_files' }],
  writes: [replacePhoto, deletePhoto],
  scans: [photosList.search, photosList.count],
  checks: [
    readableCheck('photos', 'what is known of photos can be read', [photosTable]),
    photoWrites.petsCheck,
    photosCheck,
  ],
})
