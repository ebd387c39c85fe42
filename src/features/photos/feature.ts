import { implement } from '../../http/implement.ts'
import { listBy, writeBy } from '../verbs.ts'
import * as contract from './contract.ts'
import { getPhoto } from './get-photo.ts'
import { photosList } from './queries.ts'
import { storePhoto } from './store-photo.ts'
import { photoWrites } from './write-photos.ts'

/** The photos of pets. */
export const operations = [
  implement(contract.listPhotosOperation, listBy(photosList)),
  implement(contract.getPhotoOperation, getPhoto),
  implement(contract.replacePhotoOperation, storePhoto),
  implement(contract.uploadPhotoOperation, storePhoto),
  implement(contract.deletePhotoOperation, writeBy(photoWrites.delete)),
]
