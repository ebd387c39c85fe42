import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingFor } from '../request/accept.ts'
import { sendFile } from './file.ts'

const compress: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (body: Buffer) => promisify(gzip)(body, { level: 9 }),
  identity: async (body: Buffer) => body,
}

type Representation = { body: Buffer; tag: string }

/** A constant body; each coding is made on first use and cached. */
export type Compressible = {
  mediaType: string
  cacheControl: string
  representation(coding: Coding): Promise<Representation>
}

type Head = Pick<Compressible, 'mediaType' | 'cacheControl'>

/** A body that is compressed here. */
export function createCompressible(body: Buffer, head: Head): Compressible {
  const tag = hash('sha256', body, 'base64url').slice(0, 22)
  return compressibleOf(tag, head, (coding) => compress[coding](body))
}

/** A body in the codings that `load` gives. Each has its own strong entity tag (RFC 9110, section 8.8.3). */
export function compressibleOf(
  tag: string,
  head: Head,
  load: (coding: Coding) => Promise<Buffer>,
): Compressible {
  const made = new Map<Coding, Promise<Representation>>()
  return {
    ...head,
    representation(coding) {
      const known = made.get(coding)
      if (known) return known
      const suffix = coding === 'identity' ? '' : `-${coding}`
      const making = load(coding).then((body) => ({ body, tag: `"${tag}${suffix}"` }))
      made.set(coding, making)
      making.catch(() => made.delete(coding))
      return making
    },
  }
}

/** Sends a body in the client's preferred coding, a range of it, or 304. */
export async function sendCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  { mediaType, cacheControl, representation }: Compressible,
): Promise<FastifyReply> {
  const coding = codingFor(request.headers['accept-encoding'])
  const { body, tag } = await representation(coding)
  const file = { mediaType, sizeBytes: body.length, tag, body, cacheControl, coding }
  sendFile(file, { request, reply })
  return reply
}
