import { constants, deflateSync } from 'node:zlib'
import { chunkOf } from '../../features/photos/formats/png.ts'

const width = 120
const height = 90
/** Samples of a point in each direction: edges are smooth. */
const samples = 2

/**
 * A picture for each of a dozen categories: the colour behind it, then ellipses, each before those in front of it: its colour,
 * its centre and its half axes.
 */
const drawings: Readonly<Record<string, string>> = {
  Dogs: 'bfd9ea, 7a4a21 28 46 12 26, 7a4a21 92 46 12 26, b9783f 60 44 30 32, dcb48a 60 60 18 17, 2b1a10 60 52 7 5, ffffff 49 37 6 6, ffffff 71 37 6 6, 2b1a10 50 38 3 3, 2b1a10 70 38 3 3, b34b4b 60 71 5 6',
  Cats: 'f3dcb4, 6b6f78 36 22 8 18, 6b6f78 84 22 8 18, e5a9a9 37 25 4 11, e5a9a9 83 25 4 11, 80848e 60 48 34 29, 9fd16a 47 42 7 6, 9fd16a 73 42 7 6, 1c1c1c 47 42 2 6, 1c1c1c 73 42 2 6, e5a9a9 60 55 4 3, c9ccd3 52 62 8 6, c9ccd3 68 62 8 6',
  Rabbits:
    'cfe6c5, a58d74 46 22 8 24, a58d74 74 22 8 24, e3b9ad 46 24 4 18, e3b9ad 74 24 4 18, b9a189 60 58 28 25, 2b1a10 48 52 4 5, 2b1a10 72 52 4 5, e3b9ad 60 62 4 3, e9ddcf 53 69 8 6, e9ddcf 67 69 8 6, ffffff 60 76 4 5',
  Hamsters:
    'e4d6ef, c98a45 36 28 10 10, c98a45 84 28 10 10, e3b9ad 36 28 5 5, e3b9ad 84 28 5 5, d99b52 60 52 36 31, f6e9d6 60 64 26 19, 1c1c1c 46 44 5 6, 1c1c1c 74 44 5 6, b3675a 60 54 4 3',
  Hedgehogs:
    'd9e6b8, 5b4634 64 50 42 32, 7a614a 66 52 36 27, d8bf9d 34 58 22 17, 1c1c1c 14 59 5 4, 1c1c1c 32 51 4 4, d8bf9d 46 80 9 5, d8bf9d 82 80 9 5',
  Parrots:
    'cdeaf2, 1f7a46 66 66 24 32, 2c9a5a 58 36 26 25, e8c33c 44 44 14 10, 3a3a3a 34 42 9 10, 2c9a5a 36 33 11 6, ffffff 56 31 8 8, 1c1c1c 56 31 4 4, c8443a 78 68 8 24, 2a62b8 86 72 6 20',
  Goldfish:
    'a9d8f0, e8701f 100 30 14 12, e8701f 100 60 14 12, f08a2c 56 45 40 23, f6b25a 52 54 30 10, e8701f 60 24 16 7, e8701f 60 66 11 6, ffffff 32 40 6 6, 1c1c1c 31 40 3 3, d8f0fa 12 20 4 4, d8f0fa 18 10 3 3',
  Geckos:
    'f0e2c0, 6f9a3a 96 66 20 5, 7fb043 62 58 36 13, 8fc04d 28 44 22 15, e2d44c 52 54 4 3, e2d44c 68 57 4 3, e2d44c 84 61 4 3, 6f9a3a 46 74 5 10, 6f9a3a 80 76 5 9, f4e04d 22 36 7 7, 1c1c1c 22 36 2 6',
  Snakes:
    'dcd2b4, a8482f 60 72 48 12, dcd2b4 60 68 34 6, c15a3a 64 56 36 11, dcd2b4 60 52 22 5, c15a3a 52 40 24 10, d66b47 32 28 18 11, 1c1c1c 26 24 3 3, f2e3c8 78 74 6 5, f2e3c8 44 76 6 5, f2e3c8 84 56 5 5, c02f3a 12 31 6 1',
  Tortoises:
    'cfe3e8, 9aa563 18 52 14 11, 9aa563 38 76 10 9, 9aa563 86 76 10 9, 6a5a34 62 52 40 28, 8a7745 62 48 32 21, 6a5a34 50 44 9 8, 6a5a34 74 44 9 8, 6a5a34 62 58 9 7, 1c1c1c 13 49 3 3',
  Frogs:
    'bfe3d8, 4f9a3c 38 24 13 13, 4f9a3c 82 24 13 13, 5fb048 60 50 40 28, ffffff 38 23 8 8, ffffff 82 23 8 8, 1c1c1c 39 24 4 5, 1c1c1c 81 24 4 5, 2f6a24 60 58 26 4, 5fb048 60 53 28 5, d8e8a8 60 72 22 6',
  Ponies:
    'd8e4c0, 3c2a1c 84 34 12 30, 8a5a34 74 56 20 38, 8a5a34 50 36 28 16, b9886a 30 42 15 12, 8a5a34 66 16 4 10, 8a5a34 76 16 4 10, 3c2a1c 62 22 10 7, 1c1c1c 52 31 4 4, 1c1c1c 22 40 2 3',
}

/** The categories of which the first pet of a store has a photo. */
export const photographed: readonly string[] = Object.keys(drawings)

/** The picture of a category, as a PNG file with a palette: the same bytes on every machine. */
export function drawPhoto(category: string): Buffer {
  const [behind = '', ...shapes] = (drawings[category] ?? '').split(', ')
  const background = colourOf(behind)
  const ellipses = shapes.map(ellipseOf).reverse()
  const palette = new Map<string, number>()
  const rows = Buffer.alloc(height * (1 + width))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sum = [0, 0, 0]
      for (let part = 0; part < samples ** 2; part++) {
        const sampleX = x + ((part % samples) + 0.5) / samples
        const sampleY = y + (Math.floor(part / samples) + 0.5) / samples
        const colour = ellipses.find(({ covers }) => covers(sampleX, sampleY))?.colour
        for (const [index, value] of (colour ?? background).entries())
          sum[index] = (sum[index] ?? 0) + value
      }
      const mixed = sum.map((value) => Math.floor(value / samples ** 2)).join()
      if (!palette.has(mixed)) palette.set(mixed, palette.size)
      rows[y * (1 + width) + 1 + x] = palette.get(mixed) ?? 0
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // Indexes of eight bits.
  header.set([8, 3], 8)
  const colours = Buffer.from(
    [...palette.keys()].flatMap((colour) => colour.split(',').map(Number)),
  )
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', header),
    chunkOf('PLTE', colours),
    // Runs alone: what else is found differs between builds of zlib.
    chunkOf('IDAT', deflateSync(rows, { strategy: constants.Z_RLE })),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function ellipseOf(shape: string) {
  const [code = '', ...numbers] = shape.split(' ')
  const [x = 0, y = 0, halfWidth = 1, halfHeight = 1] = numbers.map(Number)
  return {
    colour: colourOf(code),
    covers: (atX: number, atY: number) =>
      ((atX - x) / halfWidth) ** 2 + ((atY - y) / halfHeight) ** 2 <= 1,
  }
}

/** Red, green and blue of a code in hexadecimal. */
function colourOf(code: string): readonly number[] {
  return [...Buffer.from(code, 'hex')]
}
