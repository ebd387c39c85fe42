import { isMatch } from '../../context/entity-tag.ts'
import type { FileContent } from '../../contract/content.ts'
import { ServiceError } from '../../contract/service-error.ts'
import type { Coding } from '../request/accept.ts'
import { addVary, openSource, type Sending, sendNoBody, sendNotModified } from './stream.ts'

/** A file as it is sent: its tag is in quotes, its body is bytes or reads them. */
type SentFile = Omit<FileContent, 'read'> & {
  body: Buffer | FileContent['read']
  cacheControl: string
  /** How the body is compressed; absent where the client has no choice. */
  coding?: Coding
  /** Whether the client has chosen the media type by its `Accept`. */
  isChosen?: boolean
  /** Whether another client has sent it. */
  isUploaded?: boolean
}

/** A browser takes the file for what it is called, runs nothing in it and loads nothing for it. */
const uploadedHeaders = { 'content-security-policy': "sandbox; default-src 'none'" }

/** Sends a file, the range of it that the client asks for (RFC 9110, section 14), or 304. Throws `range_not_satisfiable`. */
export function sendFile(file: SentFile, sending: Sending): void {
  const { request, reply } = sending
  const { mediaType, sizeBytes, tag, name, modifiedAt, body, coding, cacheControl } = file
  const { isChosen, isUploaded } = file
  const { 'if-none-match': known, 'if-range': ifRange, range } = request.headers
  const isKnownAlready =
    known === undefined
      ? isUnmodified(modifiedAt, request.headers['if-modified-since'])
      : isMatch(known, tag)
  const isRanged = request.method === 'GET' && !isKnownAlready && (ifRange ?? tag) === tag
  const part = isRanged && range !== undefined ? parseRange(range, sizeBytes) : undefined
  reply.headers({ 'cache-control': cacheControl, etag: tag })
  if (coding !== undefined) addVary(reply, 'Accept-Encoding')
  if (isChosen) addVary(reply, 'Accept')
  if (isKnownAlready) return void sendNotModified(request, reply)
  const { start, end } = part ?? { start: 0, end: sizeBytes }
  if (part) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`)
  if (coding !== undefined && coding !== 'identity') reply.header('content-encoding', coding)
  if (name !== undefined) {
    const disposition = isUploaded ? 'inline' : 'attachment'
    reply.header('content-disposition', `${disposition}; filename="${name}"`)
  }
  if (isUploaded) reply.headers(uploadedHeaders)
  if (modifiedAt !== undefined) reply.header('last-modified', new Date(modifiedAt).toUTCString())
  reply
    .type(mediaType)
    .header('accept-ranges', 'bytes')
    .header('content-length', String(end - start))
  if (request.method === 'HEAD') sendNoBody(reply)
  else if (Buffer.isBuffer(body)) reply.send(body.subarray(start, end))
  else reply.send(openSource((signal) => body(start, end, signal), sending))
}

/** Whether a file was not modified since an HTTP date (RFC 9110, section 13.1.3). False for other texts. */
function isUnmodified(modifiedAt = Number.NaN, date = ''): boolean {
  return date.endsWith(' GMT') && Math.floor(modifiedAt / 1_000) <= Date.parse(date) / 1_000
}

/** One range; `-n` is the last n bytes. */
const rangePattern = /^bytes=(\d{0,15})-(\d{0,15})$/i

/** The requested range of a file; undefined for several ranges and for invalid ones. Throws `range_not_satisfiable`. */
function parseRange(text: string, sizeBytes: number): { start: number; end: number } | undefined {
  const [, first = '', last = ''] = rangePattern.exec(text.trim()) ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  if (start < end) return { start, end }
  throw new ServiceError('range_not_satisfiable', `The file has ${sizeBytes} bytes.`, {
    headers: { 'content-range': `bytes */${sizeBytes}` },
  })
}
