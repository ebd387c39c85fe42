import { member } from '../../contract/member.ts'
import { defineOperation, formBytesMax } from '../../contract/operation.ts'
import { operationsOn } from '../../contract/record-operations.ts'
import {
  assignedId,
  idsFilter,
  instant,
  int32,
  objectOf,
  oneOf,
  pageOf,
} from '../../contract/schemas.ts'
import { animalsTag } from '../../contract/tags.ts'
import * as Type from '../../contract/type.ts'

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]

/** The most bytes of a photo, as it is sent and as it is stored. */
export const photoBytesMax = 4 * 2 ** 20
/** The most points of a photo: a small file can say that it needs gigabytes to be shown. */
export const pointsMax = 50_000_000

const mimi = {
  petId: 13,
  type: 'image/png',
  sizeBytes: 918,
  width: 120,
  height: 90,
  digest: '84fb9342038088e4e0dcd5b85b8ffa745439ba1caafd078cf802eff592dcf85d',
  updatedAt: '2026-10-08T08:38:24.000Z',
} as const

/** A WebP file of one black point: all of its bytes are ASCII, so that a text in JSON can have them. */
const dotFile = 'RIFF\u0016\0\0\0WEBPVP8L\t\0\0\0/\0\0\0\0EDD\0\0'
const dot = {
  petId: 1,
  type: 'image/webp',
  sizeBytes: 30,
  width: 1,
  height: 1,
  digest: 'acc75f88022eca8c29142c2be28a2e48a79319f2b86647ec1c16e38398f5883d',
  updatedAt: '2026-11-02T09:30:00.000Z',
} as const

const points = (description: string, example: number) =>
  int32({ minimum: 1, maximum: pointsMax, description, examples: [example] })

const members = {
  type: oneOf(pictureTypes, {
    description: 'The media type, which the first bytes decide.',
    examples: [mimi.type],
  }),
  sizeBytes: int32({
    minimum: 1,
    maximum: photoBytesMax,
    description: 'The size of the stored file.',
    examples: [mimi.sizeBytes],
  }),
  width: points('The width in points, as the file has it: `orientation` may turn it.', mimi.width),
  height: points('The height in points.', mimi.height),
  digest: Type.String({
    pattern: '^[0-9a-f]{64}$',
    maxLength: 64,
    description:
      'The SHA-256 of the stored file in hexadecimal. In double quotes it is the entity tag of the photo.',
    examples: [mimi.digest],
  }),
  updatedAt: instant('When the photo was stored.', mimi.updatedAt),
}

export const Photo = objectOf(
  'Photo',
  {
    petId: member(assignedId(mimi.petId, 'The identifier of the pet.'), { column: 'id' }),
    ...members,
  },
  'What is known of the photo of a pet; `getPhoto` returns the photo itself.',
  mimi,
)
export type Photo = Type.Static<typeof Photo>
/** What a new photo says of itself. */
export const NewPhoto = Type.Object(members)

const Picture = Type.String({
  format: 'binary',
  maxLength: photoBytesMax,
  $id: 'Picture',
  description: 'A file in JPEG, PNG or WebP.',
  examples: [dotFile],
})

const photosFilter = Type.Partial({ petId: idsFilter('photos of pets') })
export type PhotosFilter = Type.Static<typeof photosFilter>

const photos = operationsOn({
  record: 'photo',
  path: '/photos',
  client: 'pets.photo',
  partOf: { record: 'pet', path: '/pets' },
  tag: animalsTag,
  lifecycle: { stability: 'beta' },
  read: 'pets:read',
  write: 'pets:write',
  item: Photo,
})

const usesOfPhoto = [
  photos.link('getPhoto', 'Get this photo.'),
  photos.link('deletePhoto', 'Delete this photo.'),
]

export const listPhotosOperation = photos.list({
  operationId: 'listPhotos',
  command: 'photos list',
  summary: 'List the photos of animals',
  description: 'Returns a page of what is known of photos, in ascending order of pet ids.',
  list: pageOf('Photos', Photo, [mimi]),
  query: photosFilter,
  examples: {
    name: 'mimi',
    summary: 'The photo of a frog',
    query: { petId: [13, 14] },
    response: [mimi],
  },
})

export const getPhotoOperation = photos.get({
  exampleId: 13,
  command: 'photos get',
  summary: "Get an animal's photo",
  description:
    'Sends the photo of a pet as it is stored, whole or in a range. It is to be shown, never run: browsers get a policy that forbids scripts.',
  condition: 'If-None-Match',
  returns: 'file',
  mediaTypes: pictureTypes,
  isUploaded: true,
  item: Picture,
  examples: { name: 'mimi', summary: 'The photo of a frog', response: '' },
})

const whatIsStored =
  'What the file is, its first bytes decide: JPEG, PNG or WebP of at most 4 MiB and 50,000,000 points. It is not decoded, but stored without EXIF data (the first orientation is kept), XMP, comments and what follows its end; colour profiles stay. `digest` is that of what is stored: it differs from that of the file that was sent if anything was removed. Then the response has no `ETag` (RFC 9110, section 9.3.4); the entity tag of the photo is always its `digest` in double quotes.'

export const replacePhotoOperation = photos.replace({
  exampleId: 1,
  client: 'pets.photo.put',
  command: 'photos put',
  summary: "Store an animal's photo",
  description: `Stores a photo of a pet in place of the one that there is. ${whatIsStored}`,
  body: { mediaTypes: pictureTypes, sizeMaxBytes: photoBytesMax, isUpload: true },
  condition: 'If-Match',
  hasEntityTag: true,
  errors: ['invalid_body', 'precondition_failed'],
  examples: {
    name: 'dot',
    summary: 'A black point',
    body: { 'image/webp': dotFile },
    response: dot,
  },
  links: usesOfPhoto,
})

const { client: _client, command: _command, ...replaced } = replacePhotoOperation

export const uploadPhotoOperation = defineOperation({
  ...replaced,
  operationId: 'uploadPhoto',
  method: 'POST',
  summary: "Store an animal's photo by a form",
  description: `As \`replacePhoto\`, for forms: \`multipart/form-data\` with exactly one part, the file, called \`file\`. ${whatIsStored}`,
  body: {
    mediaTypes: ['multipart/form-data'],
    sizeMaxBytes: photoBytesMax + formBytesMax,
    isUpload: true,
    part: { name: 'file', mediaTypes: pictureTypes },
  },
  examples: {
    ...replaced.examples,
    body: { 'multipart/form-data': { file: dotFile } },
  },
})

export const deletePhotoOperation = photos.delete({
  exampleId: 18,
  command: 'photos delete',
  summary: "Delete an animal's photo",
  description: 'Removes the photo of a pet. The pet stays.',
  condition: 'If-Match',
  errors: ['precondition_failed'],
  examples: { name: 'ivy', summary: 'The photo of a rabbit' },
})
