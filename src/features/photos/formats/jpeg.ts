import { exifOf, isTurned, orientationIn } from './exif.ts'
import { countParts, cut, damaged, type Picture, type Size } from './picture.ts'

const marker = { end: 0xd9, scan: 0xda, app0: 0xe0, app1: 0xe1, app2: 0xe2, app14: 0xee } as const

/** Frames (SOF0 to SOF15, but for the three of other meaning), which have the size. */
const frames = new Set([
  ...[0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf],
])
/** Tables and limits that decoding needs: DHT, DAC, DQT, DNL, DRI. */
const tables = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd])

const exifStart = 'Exif\0\0'
/** Of the segments JFIF, which a thumbnail follows, and Adobe: their length, identifier and values. */
const jfifBytes = 16
const adobeBytes = 14

/** Reads a JPEG file (ITU-T T.81) by its segments. Kept are those that decoding needs, the colour profile and the orientation. */
export function readJpeg(file: Buffer): Picture {
  const kept: Buffer[] = []
  let size: Size | undefined
  let orientation: number | undefined
  let hasScan = false
  let at = 2
  const countPart = countParts()
  kept.push(file.subarray(0, at))
  for (;;) {
    countPart()
    if (at < file.length && file[at] !== 0xff) throw damaged('there is no marker where one must be')
    // Any number of fill bytes may precede a marker.
    while (file[at] === 0xff) at += 1
    const code = file[at] ?? 0
    const start = at - 1
    at += 1
    if (at > file.length) throw cut()
    if (code === marker.end) break
    if (code < 0xc0 || (code >= 0xd0 && code <= 0xd8)) throw damaged('a marker is out of place')
    if (at + 2 > file.length) throw cut()
    const length = file.readUInt16BE(at)
    const content = file.subarray(at + 2, at + length)
    if (length < 2) throw damaged('a segment is shorter than its length')
    at += length
    if (at > file.length) throw cut()
    if (code === marker.scan) {
      if (!size) throw damaged('a scan comes before its frame')
      at = endOfScan(file, at)
      hasScan = true
    } else if (frames.has(code)) {
      if (size || content.length < 5) throw damaged('it must have one frame')
      size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3) }
    }
    const segment = file.subarray(start, at)
    if (isText(content, exifStart) && code === marker.app1 && orientation === undefined) {
      orientation = orientationIn(content.subarray(exifStart.length))
      if (isTurned(orientation)) kept.push(exifSegment(orientation))
    } else if (isText(content, 'JFIF\0') && code === marker.app0)
      kept.push(withoutThumbnail(segment))
    // Without it, decoders mistake the colours.
    else if (isText(content, 'Adobe') && code === marker.app14)
      kept.push(firstOf(segment, adobeBytes))
    else if (isKept(code, content)) kept.push(segment)
  }
  if (!size || !hasScan) throw damaged('it has no picture')
  kept.push(Buffer.from([0xff, marker.end]))
  return { ...size, bytes: Buffer.concat(kept) }
}

function isKept(code: number, content: Buffer): boolean {
  if (code === marker.scan || frames.has(code) || tables.has(code)) return true
  return code === marker.app2 && isText(content, 'ICC_PROFILE\0')
}

function isText(content: Buffer, text: string): boolean {
  return content.toString('latin1', 0, text.length) === text
}

/** Where the coded data of a scan end: at the next marker that is no restart. */
function endOfScan(file: Buffer, from: number): number {
  for (let at = from; at + 1 < file.length; at++) {
    if (file[at] !== 0xff) continue
    const next = file[at + 1] as number
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return at
  }
  throw cut()
}

/** A thumbnail may show more than the picture. */
function withoutThumbnail(segment: Buffer): Buffer {
  if (segment.length < 2 + jfifBytes) throw damaged('its JFIF segment is too short')
  return firstOf(segment, jfifBytes).fill(0, jfifBytes)
}

/** A segment of at most so many bytes behind its marker. */
function firstOf(segment: Buffer, bytes: number): Buffer {
  const first = Buffer.from(segment.subarray(0, 2 + bytes))
  first.writeUInt16BE(first.length - 2, 2)
  return first
}

function exifSegment(orientation: number): Buffer {
  const content = Buffer.concat([Buffer.from(exifStart, 'latin1'), exifOf(orientation)])
  const head = Buffer.from([0xff, marker.app1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}
