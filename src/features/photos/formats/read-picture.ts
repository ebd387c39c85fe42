import { ServiceError } from '../../../contract/service-error.ts'
import { type PictureType, pictureTypes, pointsMax } from '../contract.ts'
import { readJpeg } from './jpeg.ts'
import { damaged, type Picture } from './picture.ts'
import { readPng } from './png.ts'
import { readWebp } from './webp.ts'

type Format = { isStart(file: Buffer): boolean; read(file: Buffer): Picture }

const startsWith = (hex: string, at = 0) => {
  const start = Buffer.from(hex, 'hex')
  return (file: Buffer) => file.subarray(at, at + start.length).equals(start)
}
const isRiff = startsWith('52494646')
const isWebp = startsWith('57454250', 8)

const formats: Record<PictureType, Format> = {
  'image/jpeg': { isStart: startsWith('ffd8ff'), read: readJpeg },
  'image/png': { isStart: startsWith('89504e470d0a1a0a'), read: readPng },
  'image/webp': { isStart: (file) => isRiff(file) && isWebp(file), read: readWebp },
}

/**
 * What a file is by its first bytes, and the picture in it, without EXIF data but for the orientation, XMP, comments and what
 * follows its end. It is not decoded. Throws `unsupported_media_type`; `invalid_body` for one that is cut or has too many points.
 */
export function readPicture(file: Buffer): Picture & { type: PictureType } {
  if (file.length === 0)
    throw new ServiceError('invalid_body', 'The file is empty; send a picture.')
  const type = pictureTypes.find((type) => formats[type].isStart(file))
  if (!type) {
    throw new ServiceError(
      'unsupported_media_type',
      'The file is no JPEG, PNG or WebP by its first bytes, whatever it is called. Send one of these.',
    )
  }
  const picture = formats[type].read(file)
  const { width, height } = picture
  if (width === 0 || height === 0) throw damaged('its picture has no points')
  if (width * height > pointsMax) {
    throw new ServiceError(
      'invalid_body',
      `The picture has ${width} x ${height} points; at most ${pointsMax} are allowed.`,
    )
  }
  return { type, ...picture }
}
