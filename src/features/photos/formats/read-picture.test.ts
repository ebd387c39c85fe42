import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { amount } from '../../../../test/harness/extent.ts'
import {
  exif,
  exifSegment,
  jfif,
  jpeg,
  lossless,
  orientation,
  png,
  riff,
  webp,
} from '../../../../test/harness/pictures.ts'
import { ServiceError } from '../../../contract/service-error.ts'
import { pointsMax } from '../contract.ts'
import { exifOf, orientationIn } from './exif.ts'
import { readPicture } from './read-picture.ts'

const secret = Buffer.from('52.5163 N, 13.3777 E')
const numRuns = amount({ quick: 60, full: 3_000 })

function codeOf(file: Buffer): string | undefined {
  try {
    readPicture(file)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error))
    return error.code
  }
}

/** Files of each type with data that are not to be kept, by the name of their type. */
const withSecrets = {
  'image/jpeg': jpeg({ width: 640, height: 480 }, [
    jfif(secret),
    exifSegment(Buffer.concat([exif([[0x0100, 7], orientation(6), orientation(3)], 'II'), secret])),
    exifSegment(exif([orientation(8)])),
    [0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), secret])],
    [0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from('profile')])],
    [0xe2, Buffer.concat([Buffer.from('MPF\0'), secret])],
    [0xed, secret],
    [0xee, Buffer.concat([Buffer.from('Adobe\0d\0\0\0\0\0\x01'), secret])],
    [0xfe, secret],
  ]),
  'image/png': png(
    { width: 640, height: 480 },
    [
      ['iCCP', Buffer.from('profile')],
      ['eXIf', Buffer.concat([exif([orientation(6), orientation(3)]), secret])],
      ['tEXt', secret],
      ['prIv', secret],
    ],
    [
      ['iTXt', secret],
      ['tIME', secret.subarray(0, 7)],
      ['eXIf', exif([orientation(8)])],
    ],
  ),
  'image/webp': webp({ width: 640, height: 480 }, [
    ['ICCP', Buffer.from('profile')],
    ['EXIF', Buffer.concat([exif([orientation(6), orientation(3)]), secret])],
    ['EXIF', exif([orientation(8)])],
    ['XMP ', secret],
    ['what', secret],
  ]),
}

for (const [type, file] of Object.entries(withSecrets)) {
  it(`a picture of ${type} keeps its colours and its first orientation, and nothing about who took it where`, () => {
    const read = readPicture(Buffer.concat([file, Buffer.from('<script>'), secret]))

    assert.deepEqual([read.type, read.width, read.height], [type, 640, 480])
    assert.equal(read.bytes.indexOf(secret), -1)
    assert.equal(read.bytes.indexOf('<script>'), -1)
    assert.notEqual(read.bytes.indexOf('profile'), -1)
    assert.notEqual(read.bytes.indexOf(exifOf(6)), -1)
    assert.equal(read.bytes.indexOf(exifOf(8)), -1)
    assert.deepEqual(readPicture(read.bytes), read)
  })

  it(`invalid_body: a file of ${type} that ends before its last marker, wherever`, () => {
    for (let end = 12; end < file.length; end++)
      assert.equal(codeOf(file.subarray(0, end)), 'invalid_body', `${end} of ${file.length}`)
  })

  it(`a file of ${type} with any wrong bytes is read or refused, and what is read can be read again`, () => {
    const edits = fc.array(
      fc.tuple(fc.nat({ max: file.length - 1 }), fc.oneof(fc.nat({ max: 255 }), fc.constant(0xff))),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(edits, fc.uint8Array({ maxLength: 20 }), (wrong, behind) => {
        const bytes = Buffer.concat([file, behind])
        for (const [at, value] of wrong) bytes[at] = value
        if (codeOf(bytes) !== undefined) return
        const read = readPicture(bytes)
        assert.ok(read.width > 0 && read.height > 0 && read.width * read.height <= pointsMax)
        assert.deepEqual(readPicture(read.bytes), read)
      }),
      { numRuns },
    )
  })
}

/** An animation of one frame, with more chunks in it. */
function animation(frame: Parameters<typeof lossless>[0], more: Parameters<typeof riff>[0] = []) {
  const chunks = riff([lossless(frame), ...more]).subarray(12)
  return webp({}, [
    ['ANIM', Buffer.alloc(6)],
    ['ANMF', Buffer.concat([Buffer.alloc(16), chunks])],
  ])
}

it('a frame of an animation keeps its picture, and nothing about who took it where', () => {
  const alpha = ['ALPH', Buffer.from('clear')] as const
  const read = readPicture(
    animation({}, [['EXIF', secret], alpha, ['XMP ', secret], ['what', secret]]),
  )

  assert.deepEqual(read, readPicture(animation({}, [alpha])))
  assert.deepEqual(readPicture(read.bytes), read)
})

it('any bytes behind the first of a type are read or refused', () => {
  const starts = Object.values(withSecrets).map((file) => fc.constant(file.subarray(0, 12)))
  fc.assert(
    fc.property(fc.oneof(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
      codeOf(Buffer.concat([start, rest]))
    }),
    { numRuns },
  )
})

it('the first orientation of EXIF data is found in both orders of bytes; any bytes are none or one of eight', () => {
  const others = fc.array(fc.tuple(fc.nat({ max: 0x0111 }), fc.nat({ max: 65_535 })), {
    maxLength: 4,
  })
  const value = fc.integer({ min: 1, max: 8 })
  fc.assert(
    fc.property(
      others,
      value,
      value,
      fc.constantFrom('MM', 'II'),
      (before, first, second, order) => {
        const data = exif([...before, orientation(first), orientation(second)], order)
        assert.equal(orientationIn(data), first)
        assert.equal(orientationIn(exifOf(first)), first)
      },
    ),
    { numRuns },
  )
  fc.assert(
    fc.property(
      fc.constantFrom('MM\0*', 'II*\0'),
      fc.uint8Array({ maxLength: 60 }),
      (start, rest) => {
        const found = orientationIn(Buffer.concat([Buffer.from(start, 'latin1'), rest])) ?? 1
        assert.ok(found >= 1 && found <= 8)
      },
    ),
    { numRuns },
  )
})

const notPictures: [what: string, file: Buffer][] = [
  ['a GIF', Buffer.from('GIF89a\x02\0\x02\0\0\0\0;', 'latin1')],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['HTML with a PNG behind it', Buffer.concat([Buffer.from('<html>'), png()])],
  ['a WAV file', Buffer.from('RIFF\x04\0\0\0WAVE', 'latin1')],
  ['one byte', Buffer.from([0xff])],
]
for (const [what, file] of notPictures) {
  it(`unsupported_media_type: ${what}`, () => assert.equal(codeOf(file), 'unsupported_media_type'))
}

const manyOf = (type: string | number) => Array(10_000).fill([type, Buffer.alloc(0)])
const frame = Buffer.from([8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0])
const unusable: [what: string, file: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a PNG of 60,000 x 60,000 points', png({ width: 60_000, height: 60_000 })],
  ['a JPEG of 65,535 x 65,535 points', jpeg({ width: 65_535, height: 65_535 })],
  ['a WebP of 16,384 x 16,384 points', webp({ width: 16_384, height: 16_384 })],
  ['a PNG without points', png({ width: 0 })],
  ['a JPEG without lines', jpeg({ height: 0 })],
  ['a JPEG with a larger frame behind its frame', jpeg({}, [[0xc0, frame]])],
  ['a PNG with a second header', png({}, [['IHDR', Buffer.alloc(13, 1)]])],
  [
    'a WebP whose picture is larger than its header says',
    riff([['VP8X', Buffer.alloc(10)], lossless({ width: 9_000 })]),
  ],
  ['a JPEG of more segments than are read', jpeg({}, manyOf(0xe5))],
  ['a PNG of more chunks than are read', png({}, manyOf('teXt'))],
  ['a WebP of more chunks than are read', webp({}, manyOf('what'))],
  ['an animation with a frame that is larger', animation({ width: 16_000, height: 16_000 })],
  [
    'a JPEG that ends before its scan',
    Buffer.concat([jpeg().subarray(0, 2), Buffer.from('ffd9', 'hex')]),
  ],
]
for (const [what, file] of unusable) {
  it(`invalid_body: ${what}`, () => assert.equal(codeOf(file), 'invalid_body'))
}

it('a picture of exactly 50,000,000 points is read', () => {
  const file = png({ width: 10_000, height: 5_000 })

  assert.equal(readPicture(file).width, 10_000)
})
