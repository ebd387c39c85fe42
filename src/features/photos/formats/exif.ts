const orientationTag = 0x0112
const shortType = 3
const entryBytes = 12

/**
 * The first orientation, 1 to 8, in the first directory of EXIF data, which begins with a TIFF header; undefined without one.
 */
export function orientationIn(tiff: Buffer): number | undefined {
  const start = tiff.subarray(0, 4).toString('latin1')
  if (tiff.length < 8 || (start !== 'II*\0' && start !== 'MM\0*')) return undefined
  const isLittle = start.startsWith('I')
  const short = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  if (directory + 2 > tiff.length) return undefined
  let at = directory + 2
  for (let left = short(directory); left > 0 && at + entryBytes <= tiff.length; left--) {
    const value = short(at + 8)
    const isOrientation = short(at) === orientationTag && short(at + 2) === shortType
    if (isOrientation && value >= 1 && value <= 8) return value
    at += entryBytes
  }
  return undefined
}

/** Whether a picture is shown in another way than it is stored: so it is neither without an orientation nor with the first. */
export function isTurned(orientation: number | undefined): orientation is number {
  return orientation !== undefined && orientation !== 1
}

/** EXIF data that has this orientation and nothing else. */
export function exifOf(orientation: number): Buffer {
  const tiff = Buffer.alloc(8 + 2 + entryBytes + 4)
  tiff.write('MM\0*', 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(shortType, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}
