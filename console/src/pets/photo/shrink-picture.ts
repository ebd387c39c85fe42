/** The longest side of a photo that is stored. */
const sideMax = 1_600
/** A file that is no larger is sent as it is, if its picture is not larger either. */
const bytesMax = 500_000
const quality = 0.85

const sentTypes = ['image/jpeg', 'image/png', 'image/webp']

/** A picture that is small enough to be sent, upright. Throws what to tell a person where the file is none. */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => {
    throw new Error('This browser cannot show the file: choose a photo in JPEG, PNG or WebP.')
  })
  const { width, height } = picture
  const scale = Math.min(1, sideMax / Math.max(width, height))
  if (scale === 1 && file.size <= bytesMax && sentTypes.includes(file.type)) return file
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  picture.close()
  // What can be seen through stays so: JPEG has no transparency.
  const type = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
  const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  if (!smaller) throw new Error('The photo could not be made smaller.')
  return smaller
}
