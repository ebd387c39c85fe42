import { readdirSync, readFileSync } from 'node:fs'

/** A picture for each of a dozen categories. */
const folder = new URL('./photos/', import.meta.url)

/** The categories of which the first pet of a store has a photo. */
export const photographed: readonly string[] = readdirSync(folder).map((file) =>
  file.replace('.png', ''),
)

/** The picture of a category, as a PNG file. */
export function demoPhotoOf(category: string): Buffer {
  return readFileSync(new URL(`${category}.png`, folder))
}
